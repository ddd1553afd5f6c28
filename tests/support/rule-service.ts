import type { RequestListener } from 'node:http';

/** Answers creates of rules, and counts how often each network arrived. */
export interface RuleService {
  readonly listener: RequestListener;
  /** How often the create of each network arrived, by CIDR. */
  readonly arrivals: ReadonlyMap<string, number>;
}

/** A service for creates that breaks the connection of every nth request after it has received the request. */
export const ruleService = ({ breaksEvery }: { readonly breaksEvery: number }): RuleService => {
  const arrivals = new Map<string, number>();
  let count = 0;
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { cidr: string; action: string };
      arrivals.set(body.cidr, (arrivals.get(body.cidr) ?? 0) + 1);
      count += 1;
      if (count % breaksEvery === 0) {
        response.socket?.destroy();
        return;
      }
      const { cidr, action } = body;
      const ipPolicy = { id: 'ipp_1', uri: 'https://api.example.com/ip_policies/ipp_1' };
      const rule = { id: `ipr_${count}`, uri: 'https://api.example.com/ip_policy_rules/ipr_1', cidr, action };
      response.writeHead(201);
      response.end(JSON.stringify({ ...rule, created_at: '2030-01-01T00:00:00Z', ip_policy: ipPolicy }));
    });
  };
  return { listener, arrivals };
};
