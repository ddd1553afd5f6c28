import { createHash } from 'node:crypto';
import { serviceAddress } from '../values/service-address';
import { isUnknown } from '../values/unknowns';
import { findSetting, PROVIDER_NAME_KEY, type SettingsSources } from './settings';

/**
 * A mark of the service and the key in the settings, for state: 32 bits of a hash of the address, and 32 of one of address and
 * key. Enough to notice a change, and too little to find a key by.
 */
export class Account {
  constructor(private readonly sources: () => SettingsSources) {}

  get mark(): string {
    return `${short(this.address)}.${short(`${this.address}\n${this.key}`)}`;
  }

  /** Whether both are known: a preview may run without a key, and an explicit provider's may come from another resource. */
  get isKnown(): boolean {
    return ![this.address, this.key].some((text) => text === '' || isUnknown(text));
  }

  /** Whether a mark is of another service, and the settings are an explicit provider's: for all others, the service may have moved. */
  isElsewhere(mark: string): boolean {
    const isExplicit = this.sources().config(PROVIDER_NAME_KEY) !== undefined;
    return isExplicit && !isUnknown(this.address) && mark.split('.')[0] !== short(this.address);
  }

  private get key(): string {
    return findSetting('apiKey', this.sources())?.text ?? '';
  }

  /** The address of the service in its one spelling; empty if it is not set. */
  get address(): string {
    return serviceAddress(findSetting('baseUrl', this.sources())?.text ?? '');
  }
}

const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);
