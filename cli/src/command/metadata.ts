/** The members of the metadata of a rule, such as owner and ticket; none if it is no JSON object. */
export function metadataMembers(metadata: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = typeof metadata === 'string' ? JSON.parse(metadata) : {};
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
