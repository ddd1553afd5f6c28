import { type Host, RESOURCE_TYPES } from '../../../provider/src/resources/provider-reference';
import { startScene } from '../../support/host';
import { declaredSamples } from '../../support/module-samples';

test.each<Host>(['dynamic', 'native'])(
  '%s host: a state of another type, which an alias has brought, is refused at the diff',
  async (hostName) => {
    const scene = await startScene();
    const host = scene.newProcess({}, { host: hostName });
    for (const from of RESOURCE_TYPES) {
      const { id, inputs, outs } = await host.create(from, declaredSamples.get(from) ?? {});
      for (const to of RESOURCE_TYPES.filter((type) => type !== from)) {
        const news = await host.checked(to, declaredSamples.get(to) ?? {}, inputs);
        await expect(host.provider(to).diff(id, outs, news)).rejects.toThrow(
          `An alias makes ${id}, a resource of another type, a resource of the type ${to}`,
        );
      }
    }
  },
);
