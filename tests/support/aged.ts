/** A state that was written long ago, so that a 404 is believed at once: until then the provider waits in real time. */
export const aged = <State extends object>(state: State): State => ({
  ...state,
  ...Object.fromEntries(
    ['createdAt', 'changedAt'].filter((name) => name in state).map((name) => [name, '2020-01-01T00:00:00Z']),
  ),
});
