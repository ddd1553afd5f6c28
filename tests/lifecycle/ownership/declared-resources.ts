// Resources that share objects: what the engine asks of them, in the words of these tests.
import { type Bag, type HostProcess, type Scene } from '../../support/host';
import { policyId } from '../../support/ids';

type Rule = string | readonly [cidr: string, action?: string, description?: string];

export const [a, b, c, d] = ['10.0.0.0/24', '10.0.1.0/24', '10.0.2.0/24', '10.0.3.0/24'] as const;

export const overwrite = { overwriteExisting: true };

/** The arguments of a set; a rule that is only a network is an allow. */
export const setOf = (rules: readonly Rule[], options: Bag = {}): Bag => ({
  ipPolicyId: policyId,
  rules: JSON.stringify(
    rules.map((rule) => {
      const [cidr, action = 'allow', description] = typeof rule === 'string' ? [rule] : rule;
      return { cidr, action, description };
    }),
  ),
  ...options,
});

/** The arguments of a rule. */
export const single = (cidr: string, options: Bag = {}): Bag => ({
  ...{ cidr, action: 'allow', ipPolicyId: policyId },
  ...options,
});

/** A resource as state holds it. */
export interface Kept {
  readonly id: string;
  readonly inputs: Bag;
  readonly outs: Bag;
}

/** The calls of one run for resources of one type; check and diff come at once, as registrations do. */
const resource = (type: 'IpPolicyRule' | 'IpPolicyRuleSet') => (host: HostProcess) => {
  const provider = host.provider(type);
  return {
    create: (news: Bag): Promise<Kept> => host.create(type, news),
    async update(kept: Kept, news: Bag): Promise<Kept> {
      const inputs = await host.checked(type, news, kept.inputs);
      const { changes } = await provider.diff(kept.id, kept.outs, inputs);
      if (!changes) return { ...kept, inputs };
      return { ...kept, inputs, ...(await provider.update(kept.id, kept.outs, inputs)) };
    },
    async replace(kept: Kept, news: Bag): Promise<Kept> {
      const inputs = await host.checked(type, news, kept.inputs);
      const { replaces } = await provider.diff(kept.id, kept.outs, inputs);
      expect(replaces).not.toEqual([]);
      const anew = await host.checked(type, news);
      await provider.delete(kept.id, kept.outs);
      const { id, outs } = await provider.create(anew);
      return { id, inputs: anew, outs };
    },
    /** The program declares it as before. */
    same: async (kept: Kept): Promise<void> => {
      const inputs = await host.checked(type, kept.inputs, kept.inputs);
      expect(await provider.diff(kept.id, kept.outs, inputs)).toMatchObject({ changes: false });
    },
    delete: (kept: Kept): Promise<void> => provider.delete(kept.id, kept.outs),
  };
};

export const rules = resource('IpPolicyRule');
export const sets = resource('IpPolicyRuleSet');

/** The ids of the live rules by network. */
export const live = ({ emulator }: Scene): Record<string, string> =>
  Object.fromEntries(emulator.state().rules.map(({ cidr, id }) => [cidr, id]));
