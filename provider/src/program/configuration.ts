import * as pulumi from '@pulumi/pulumi';
import type { Host } from '../resources/provider-reference';
import { misspeltSettings } from '../settings/misspelt-settings';
import { CONFIG_NAMESPACE, HOST_SETTING } from '../settings/settings';
import { printableByEngine } from '../values/printable';

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

let isDone = false;

/** Warns of settings that nobody reads, once for a program: the host of the provider cannot list the configuration. */
export function warnOfMisspeltSettings(): void {
  if (isDone) return;
  isDone = true;
  const configKeys = Object.keys(pulumi.runtime.allConfig());
  for (const line of misspeltSettings({ configKeys, variables: Object.keys(process.env) })) {
    void pulumi.log.warn(printableByEngine(line));
  }
}
