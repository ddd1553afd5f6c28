// What a review says of states that are not what is live, and of providers that are not what their names say, against the `up` of
// the real CLI.
import type { Host } from '../../provider/src/resources/provider-reference';
import { policyId } from '../support/ids';
import { literal, program } from '../support/programs';
import { startService, stackOnService } from '../support/service-stack';
import { reviewed, told } from '../unit/review/reviewing';
import { previewed } from './review/changes';

const HOSTS: readonly Host[] = ['dynamic', 'native'];

const office = (options = '{}', description = 'office') =>
  `new IpPolicyRule('office', { ipPolicyId: '${policyId}', action: 'allow', cidr: '10.0.0.0/8',
    description: '${description}' }, ${options});`;

/** The name and the version by which the engine itself calls its provider. */
const engineProvider = (baseUrl: string, urn: string): string => {
  const name = /::(default[^:]*)$/.exec(urn)?.[1] ?? '';
  return `const provider = new Provider('${name}', { baseUrl: ${literal(baseUrl)} });`;
};

describe.each(HOSTS)('%s', (host) => {
  test('a provider of the program with the name of the engine’s sends nothing elsewhere unseen', async () => {
    const [service, elsewhere] = [await startService(), await startService()];
    const { stack } = await stackOnService({ program: program(`${office()} return {};`), host }, service);
    await stack.up();
    const shown = async () => {
      const { preview, state } = await previewed(stack);
      const { findings, verdict } = reviewed(preview, { state });
      return { services: told({ findings }, 'service-changed'), affectsAccess: verdict.affectsAccess };
    };
    expect(await shown()).toEqual({ services: [], affectsAccess: false });
    const { resources } = await stack.state();
    const urn = resources.map((each) => each.urn).find((each) => /::default[^:]*$/.test(each)) ?? '';
    const hostile = engineProvider(elsewhere.emulator.url, urn);
    stack.writeProgram(program(`${hostile} ${office('{ provider }')} return {};`));
    expect(await shown()).toEqual({
      services: [expect.stringMatching(/^high service-changed: 1 resource .* would go to/)],
      affectsAccess: true,
    });
  });
});
