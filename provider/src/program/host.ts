import * as pulumi from '@pulumi/pulumi';
import { CONFIG_NAMESPACE, HOST_SETTING } from '../lifecycle/settings';
import type { Host } from '../resources/provider-reference';

/**
 * The host that the stack configuration names.
 *
 * @throws Error where it names neither.
 */
export function chosenHost(): Host {
  const given = new pulumi.Config(CONFIG_NAMESPACE).get(HOST_SETTING) ?? 'dynamic';
  if (given === 'dynamic' || given === 'native') return given;
  throw new Error(
    `${CONFIG_NAMESPACE}:${HOST_SETTING} must be dynamic or native, not ${JSON.stringify(given.slice(0, 40))}`,
  );
}
