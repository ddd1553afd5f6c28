import { addressDigest, isMarkOfOther, shortHash } from '../values/account-mark';
import { serviceAddress } from '../values/service-address';
import { isUnknown } from '../values/unknowns';
import {
  CONFIG_NAMESPACE,
  findSetting,
  PROVIDER_NAME_KEY,
  readSettings,
  type SettingsSources,
} from './settings';

/** A mark of the service and the key in the settings, for state: a hash of the address, and one of address and key. */
export class Account {
  readonly mark: string;
  /** The address of the service in its one spelling; empty if it is not set. */
  readonly address: string;
  private readonly key: string;

  constructor(
    private readonly sources: SettingsSources,
    private readonly isSecretInConfig = true,
  ) {
    this.address = serviceAddress(findSetting('baseUrl', sources)?.text ?? '');
    this.key = findSetting('apiKey', sources)?.text ?? '';
    this.mark = `${shortHash(this.address)}.${shortHash(`${this.address}\n${this.key}`)}`;
  }

  /** A preview may run without a key, and the key of an explicit provider may come from another resource. */
  get isKnown(): boolean {
    return ![this.address, this.key].some((text) => text === '' || isUnknown(text));
  }

  /** Whether a mark is of another service, and the settings are an explicit provider's: for all others, the service may have moved. */
  isElsewhere(mark: string): boolean {
    const isExplicit = this.sources.config(PROVIDER_NAME_KEY) !== undefined;
    return isExplicit && !isUnknown(this.address) && isMarkOfOther(mark, this.address);
  }

  /** The address for inputs, which everybody sees: its digest if it may be secret; empty if it is not set, undefined if not known. */
  get shownAddress(): string | undefined {
    const { address } = this;
    if (isUnknown(address)) return undefined;
    const isConfigured = findSetting('baseUrl', this.sources)?.place === `${CONFIG_NAMESPACE}:baseUrl`;
    return isConfigured && this.isSecretInConfig ? addressDigest(address) : address;
  }

  /** What is wrong with the settings that are set and known. A preview may do without the others. */
  get wrongSettings(): readonly string[] {
    const { sources } = this;
    return readSettings(sources).problems.flatMap(({ name, sentence }) => {
      const text = findSetting(name, sources)?.text;
      return text === undefined || isUnknown(text) ? [] : [sentence];
    });
  }
}
