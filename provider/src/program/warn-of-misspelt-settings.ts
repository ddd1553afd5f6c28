import * as pulumi from '@pulumi/pulumi';
import { misspeltSettings } from '../lifecycle/misspelt-settings';
import { printableByEngine } from '../values/printable';

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
