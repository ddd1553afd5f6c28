/** The path of an object on the service, by the type of its resource. */
const endpoints = {
  /** @param {string} id */
  IpPolicyRule: (id) => `/ip_policy_rules/${id}`,
  /** @param {string} edgeId */
  TcpEdgeTrafficPolicyModule: (edgeId) => `/edges/tcp/${edgeId}/traffic_policy`,
  /** @param {string} id */
  HttpsEdgeRouteUserAgentFilterModule: (id) =>
    `/edges/https/${id.replace('/', '/routes/')}/user_agent_filter`,
};

/**
 * Prints what the service itself answers about every object of a stack, to compare it with the state.
 *
 * @param {{ baseUrl: string, apiKey: string, deployment: string }} options deployment: of `pulumi stack export`
 */
export const showServiceContents = async ({ baseUrl, apiKey, deployment }) => {
  /** @type {{ deployment: { resources: { type: string, id: string }[] } }} */
  const exported = JSON.parse(deployment);
  for (const { type, id } of exported.deployment.resources) {
    const [, typeName] = /^pulumi-nodejs:dynamic\/edge-policy:(\w+)$/.exec(type) ?? [];
    if (typeName === undefined) continue;
    const endpoint = endpoints[/** @type {keyof typeof endpoints} */ (typeName)](id);
    const response = await fetch(baseUrl + endpoint, {
      headers: { Authorization: `Bearer ${apiKey}`, 'Service-Version': '2' },
    });
    if (!response.ok) throw new Error(`GET ${endpoint} answers with status ${response.status}`);
    console.log(`\nGET ${endpoint}`);
    console.log(JSON.stringify(await response.json(), undefined, 2));
  }
};
