// What for: the handlers that the engine's host for dynamic resources calls.
// Must not know: `hosts/native`, and a resource's URN, which the engine does not pass on.
//
// What the engine requires by name, from the text in `resources/provider-reference.ts`: a public contract. States of
// every released version hold that text, so `handler(type)` must keep answering to it.
import type { dynamic } from '@pulumi/pulumi';
import type { ResourceType } from '../../resources/provider-reference';
import { engineAddress, sharedEngine, warnEngine } from '../engine-watch';
import { Run } from '../run';
import { served } from './served';

const address = engineAddress(process.argv);

const run: Run = new Run(
  address === undefined
    ? { say: console.warn } // eslint-disable-line no-console -- for those who call the handlers without an engine
    : {
        say: warnEngine(address),
        engine: sharedEngine(address, () => {
          run.cancel();
        }),
      },
);

/** The provider of a resource type, as the engine's host for dynamic resources calls it. */
export const handler = (type: ResourceType): dynamic.ResourceProvider<object, object> => served(type, run);
