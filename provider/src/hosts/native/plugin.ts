// What for: the plugin, a gRPC server, for programs in every language.
// Must not know: `hosts/dynamic`, and how a resource works.
import { status } from '@grpc/grpc-js';
import type { ConfigureRequest } from '@pulumi/pulumi/proto/provider_pb';
import type { ApiClient } from '../../api/client';
import { UserError } from '../../errors/user-error';
import type { ImportDeclared } from '../../errors/words';
import { nativeToken, RESOURCE_TYPES } from '../../resources/provider-reference';
import type { EngineLink } from '../../run/run-members';
import { Run } from '../run';
import { configOf } from './configuration';
import { plainProperties, secretNames } from './property-bags';
import { NativeResource } from './resource';
import { Refused } from './status';

/** The engine imports by itself, and writes code in the program's language. */
const importDeclared: ImportDeclared = (target) =>
  target.type === 'rule'
    ? `pulumi import ${nativeToken('IpPolicyRule')} NAME ID`
    : `pulumi import ${nativeToken(target.moduleType)} NAME ${target.id}`;

export class Plugin {
  readonly run: Run;
  /** Absent before the engine has configured the plugin. */
  private settings: string | undefined;

  /** @param say Shows one line as a warning, of a resource if it is named. */
  constructor(say: (line: string, urn?: string) => void, engine?: EngineLink) {
    this.run = new Run({ say, importDeclared, engine });
  }

  configure(request: ConfigureRequest): void {
    const given = plainProperties(request.getArgs(), this.run.marked.note);
    const settings = JSON.stringify(Object.entries(given).sort());
    // Another process that reaches the port must not make this one send the run's key to another service.
    if (this.settings !== undefined && settings !== this.settings)
      throw new Refused(
        status.ALREADY_EXISTS,
        'This provider has already been configured with other settings.',
      );
    const isAddressSecret = secretNames(request.getArgs()).has('baseUrl');
    this.run.configure(configOf(given, request.getUrn() ?? ''), isAddressSecret);
    this.settings = settings;
  }

  /** The resource of a URN; its type is the last of the types in the URN. */
  resource(urn: string): NativeResource {
    const token = urn.split('::')[2]?.split('$').at(-1) ?? '';
    const type = RESOURCE_TYPES.find((known) => nativeToken(known) === token);
    if (type === undefined) throw new Refused(status.NOT_FOUND, `There is no resource type ${token}.`);
    return new NativeResource(type, this.run);
  }

  /** Requests need settings, and the engine sends those first. */
  requireConfiguration(): void {
    if (this.settings === undefined) throw new UserError('The engine has not configured this provider yet.');
  }

  readonly client = (): ApiClient => {
    this.requireConfiguration();
    return this.run.client;
  };
}
