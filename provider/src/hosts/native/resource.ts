import {
  CheckFailure,
  type CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  type DeleteRequest,
  type DiffRequest,
  DiffResponse,
  PropertyDiff,
  ReadRequest,
  ReadResponse,
  UpdateRequest,
  UpdateResponse,
} from '@pulumi/pulumi/proto/provider_pb';
import type { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import { UserError } from '../../errors/user-error';
import {
  type AnyField,
  type DiffOutcome,
  fieldsOf,
  isAbsent,
  isSameValue,
  type Properties,
  PROVIDER_KEY,
  withoutService,
} from '../../fields/field';
import type { AnyLifecycle } from '../../resources/lifecycle';
import type { ResourceType } from '../../resources/provider-reference';
import { registry, type ResourceShape, withDerived } from '../../resources/registry';
import { printableByEngine } from '../../values/printable';
import { containsUnknown, UNKNOWN } from '../../values/unknowns';
import { type HostRun, isLiveAsDeclared } from '../run';
import { plainProperties, secretNames, toStruct } from './property-bags';
import { SECRET_IN_STATE } from '../../rule-set/set-state';

const givenBy = (request: object): Struct | undefined =>
  request instanceof CreateRequest || request instanceof ReadRequest
    ? request.getProperties()
    : request instanceof UpdateRequest
      ? request.getNews()
      : undefined;

/** Errors are turned into refusals in one place. */
export class NativeResource {
  private readonly lifecycle: AnyLifecycle;
  private readonly shape: ResourceShape;

  constructor(
    type: ResourceType,
    private readonly run: HostRun,
  ) {
    this.lifecycle = registry[type].lifecycle(() => run);
    this.shape = registry[type].shape();
  }

  isReadFirst(state: object): boolean {
    return this.shape.isReadFirst?.(state) === true;
  }

  check(request: CheckRequest): CheckResponse {
    const [olds, news] = [this.plain(request.getOlds()), this.plain(request.getNews())];
    const { inputs, failures, warnings } = this.lifecycle.check(olds, news);
    for (const line of warnings) this.run.warn(line, request.getUrn());
    if (failures.length === 0) this.run.declaredDiffs.noteCheck(request.getUrn(), { olds, inputs });
    const concealed = failures.map(this.run.marked.concealFailure);
    return checkResponse(inputs, concealed, secretNames(request.getNews()));
  }

  diff(request: DiffRequest): DiffResponse {
    const [olds, news] = [this.plain(request.getOlds()), this.plain(request.getNews())];
    const oldInputs = request.hasOldInputs() ? this.plain(request.getOldInputs()) : olds;
    const isDeclared = this.run.declaredDiffs.use(request.getUrn(), news);
    // A refresh compares with the inputs of an import as they are.
    const [before, after] = [oldInputs, news].map((inputs) => asChecked(this.shape.fields, inputs)) as [
      Properties,
      Properties,
    ];
    const outcome = this.lifecycle.diff(request.getId(), olds, after, isDeclared);
    const changes = outcome.changes || this.lacksDerived(olds);
    return diffResponse(this.shape.fields, { ...outcome, changes }, { olds, oldInputs: before, news: after });
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    const inputs = this.plain(request.getProperties());
    if (request.getPreview())
      return new CreateResponse().setProperties(
        this.answer(request, createPreview(this.shape, withoutService(inputs))),
      );
    this.requireKnown(inputs);
    const { id, state } = await this.lifecycle.create(inputs, request.getUrn());
    return new CreateResponse()
      .setId(id)
      .setProperties(this.answer(request, state))
      .setRefreshBeforeUpdate(this.isReadFirst(state));
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const [olds, news] = [this.plain(request.getOlds()), this.plain(request.getNews())];
    if (!request.getPreview()) this.requireKnown(news);
    const state = request.getPreview()
      ? updatePreview(this.shape, { olds, news: withoutService(news) })
      : await this.updated(request, olds, news);
    return new UpdateResponse()
      .setProperties(this.answer(request, state))
      .setRefreshBeforeUpdate(this.isReadFirst(state));
  }

  /** A request without properties is an import or a look-up by id, for which the engine writes a program: no texts of lines. */
  async read(request: ReadRequest): Promise<ReadResponse> {
    const olds = this.plain(request.getProperties());
    const live = await this.lifecycle.read(request.getId(), olds);
    if (live === undefined) return new ReadResponse();
    const { inProgram } = this.shape;
    const isNew = Object.keys(olds).length === 0;
    const inputs = inProgram !== undefined && isNew ? inProgram(live.inputs) : live.inputs;
    return new ReadResponse()
      .setId(live.id)
      .setProperties(this.answer(request, live.state))
      .setInputs(toStruct(inputs, secretNames(request.getInputs())))
      .setRefreshBeforeUpdate(this.isReadFirst(live.state));
  }

  async delete(request: DeleteRequest): Promise<void> {
    const olds = this.plain(request.getProperties());
    await this.lifecycle.delete(request.getId(), olds);
  }

  /** A state and the properties derived from it. A property stays secret if it was so under the same name. */
  answer(request: object, state: object): Struct {
    const secrets = new Set(secretNames(givenBy(request)));
    const answered: Record<string, unknown> = { ...withDerived(this.shape, state) };
    // It repeats all inputs.
    if (secrets.size > 0) secrets.add('unsettledInputs');
    for (const [name, { from }] of Object.entries(this.shape.derived ?? {})) {
      // A program that reads the field itself must not take an open part for a text of the user.
      if (answered[name] === UNKNOWN) answered[from[0]] = UNKNOWN;
      if (from.some((part) => secrets.has(part))) secrets.add(name);
    }
    return toStruct(answered, new Set([...secrets, ...SECRET_IN_STATE]));
  }

  private plain(struct: Struct | undefined): Record<string, unknown> {
    return plainProperties(struct, this.run.marked.note);
  }

  /** Whether the other host wrote it, without derived properties. After an upgrade the next refresh or update adds them. */
  private lacksDerived(olds: Properties): boolean {
    const names = PROVIDER_KEY in olds ? Object.keys(this.shape.derived ?? {}) : [];
    return names.some((name) => olds[name] === undefined);
  }

  /** The state after an update. An update that only adds derived properties sends nothing. */
  private async updated(request: UpdateRequest, olds: Properties, news: Properties): Promise<object> {
    const isOnlyCompleted = this.lacksDerived(olds) && isLiveAsDeclared(this.shape.fields, olds, news);
    return isOnlyCompleted ? olds : this.lifecycle.update(request.getId(), olds, news);
  }

  /** @throws UserError if a value that only a preview may leave unknown would be sent to the service. */
  private requireKnown(inputs: Properties): void {
    const open = Object.keys(inputs).filter((name) => containsUnknown(inputs[name]));
    if (open.length === 0) return;
    throw new UserError(`${open.join(', ')}: not known yet; nothing was sent.`);
  }
}

/** Inputs in the form that check returns. An import may have stored some in the form that a program gives. */
const asChecked = (fields: object, inputs: Properties): Properties => ({
  ...inputs,
  ...Object.fromEntries(
    fieldsOf(fields).flatMap(([name, { type, parse }]) => {
      const value = inputs[name];
      if (type.output.type !== 'string' || typeof value !== 'object' || value === null) return [];
      const checked = parse(value).value;
      return checked === undefined ? [] : [[name, checked]];
    }),
  ),
});

/** The answer of check. The sentence names the property. If the failure did, the CLI would print its value, secrets in clear. */
export function checkResponse(
  inputs: object,
  failures: readonly string[],
  secrets: ReadonlySet<string>,
): CheckResponse {
  const checkFailures = failures.map((reason) =>
    new CheckFailure().setProperty('').setReason(printableByEngine(reason)),
  );
  return new CheckResponse().setInputs(toStruct(inputs, secrets)).setFailuresList(checkFailures);
}

const createPreview = ({ outputs }: ResourceShape, inputs: Properties): Properties => ({
  ...inputs,
  ...Object.fromEntries(Object.keys(outputs).map((name) => [name, UNKNOWN])),
});

function updatePreview(
  { fields, outputs }: ResourceShape,
  { olds, news }: { olds: Properties; news: Properties },
): Properties {
  const isChanged = (name: string): boolean => {
    const field = Reflect.get(fields, name) as AnyField;
    return containsUnknown(news[name]) || !isSameValue(field, olds[name], news[name]);
  };
  const later = Object.entries(outputs).map(([name, causes]) => [
    name,
    causes.some(isChanged) ? UNKNOWN : olds[name],
  ]);
  return { ...news, ...(Object.fromEntries(later) as Properties) };
}

/** The outputs in state, the inputs that led to them, and the new inputs. */
export interface Compared {
  readonly olds: Properties;
  readonly oldInputs: Properties;
  readonly news: Properties;
}

const { Kind } = PropertyDiff;
type Kind = (typeof Kind)[keyof typeof Kind];

/** A diff with details of each field: the engine then shows these, and `preview --json` contains them. */
function diffResponse(fields: object, outcome: DiffOutcome, compared: Compared): DiffResponse {
  const response = new DiffResponse()
    .setChanges(outcome.changes ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE)
    .setReplacesList(outcome.replaces)
    .setDeletebeforereplace(outcome.deleteBeforeReplace)
    .setHasdetaileddiff(true);
  const { olds, oldInputs, news } = compared;
  for (const [name, field] of fieldsOf(fields)) {
    if (field.onChange === 'settings-only' || !differs(field, olds[name], news[name])) continue;
    // The program's author knows the inputs; after a partial failure they may be equal although the live object differs.
    const isInputChange = differs(field, oldInputs[name], news[name]);
    const before = isInputChange ? oldInputs[name] : olds[name];
    const kind = kindOf(field, { before, now: news[name], isReplacing: outcome.replaces.includes(name) });
    response.getDetaileddiffMap().set(name, new PropertyDiff().setKind(kind).setInputdiff(isInputChange));
    response.addDiffs(name);
  }
  return response;
}

const differs = (field: AnyField, before: unknown, now: unknown): boolean =>
  containsUnknown(now) || !isSameValue(field, before, now);

function kindOf(
  field: AnyField,
  { before, now, isReplacing }: { before: unknown; now: unknown; isReplacing: boolean },
): Kind {
  if (isAbsent(field, before)) return isReplacing ? Kind.ADD_REPLACE : Kind.ADD;
  if (isAbsent(field, now)) return isReplacing ? Kind.DELETE_REPLACE : Kind.DELETE;
  return isReplacing ? Kind.UPDATE_REPLACE : Kind.UPDATE;
}
