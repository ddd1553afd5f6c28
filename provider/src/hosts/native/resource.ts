import {
  CheckFailure,
  type CheckRequest,
  CheckResponse,
  type CreateRequest,
  CreateResponse,
  type DeleteRequest,
  type DiffRequest,
  type DiffResponse,
  type ReadRequest,
  ReadResponse,
  type UpdateRequest,
  UpdateResponse,
} from '@pulumi/pulumi/proto/provider_pb';
import { UserError } from '../../errors/user-error';
import type { Words } from '../../errors/words';
import { type AnyField, isSameValue, type Properties } from '../../fields/field';
import type { AnyLifecycle } from '../../resources/lifecycle';
import type { ResourceShape } from '../../resources/registry';
import { printableByEngine } from '../../values/printable';
import { containsUnknown, UNKNOWN } from '../../values/unknowns';
import { diffResponse } from './detailed-diff';
import { plainProperties, toStruct } from './properties';

/** How a resource speaks to whoever wrote the program. */
interface Voice {
  readonly warn: (line: string) => void;
  readonly words: Pick<Words, 'name'>;
}

/** The steps of a resource's life as the engine asks for them. Whatever they throw is refused in one place. */
export class NativeResource {
  constructor(
    private readonly lifecycle: AnyLifecycle,
    private readonly shape: ResourceShape,
    private readonly voice: Voice,
  ) {}

  /** Whether the engine is to read a resource in this state before it compares it. */
  isReadFirst(state: object): boolean {
    return this.shape.isReadFirst?.(state) === true;
  }

  check(request: CheckRequest): CheckResponse {
    const [olds, news] = [plainProperties(request.getOlds()), plainProperties(request.getNews())];
    const { inputs, failures, warnings } = this.lifecycle.check(olds, news);
    warnings.forEach(this.voice.warn);
    return checkResponse(inputs, failures);
  }

  diff(request: DiffRequest): DiffResponse {
    const [olds, news] = [plainProperties(request.getOlds()), plainProperties(request.getNews())];
    const oldInputs = request.hasOldInputs() ? plainProperties(request.getOldInputs()) : olds;
    const outcome = this.lifecycle.diff(request.getId(), olds, news);
    return diffResponse(this.shape.fields, outcome, { olds, oldInputs, news });
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    const inputs = plainProperties(request.getProperties());
    if (request.getPreview())
      return new CreateResponse().setProperties(toStruct(createPreview(this.shape, inputs)));
    this.requireKnown(inputs);
    const { id, state } = await this.lifecycle.create(inputs);
    return new CreateResponse()
      .setId(id)
      .setProperties(toStruct(state))
      .setRefreshBeforeUpdate(this.isReadFirst(state));
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const [olds, news] = [plainProperties(request.getOlds()), plainProperties(request.getNews())];
    if (!request.getPreview()) this.requireKnown(news);
    const state = request.getPreview()
      ? updatePreview(this.shape, { olds, news })
      : await this.lifecycle.update(request.getId(), olds, news);
    return new UpdateResponse()
      .setProperties(toStruct(state))
      .setRefreshBeforeUpdate(this.isReadFirst(state));
  }

  /** Without properties it is an import, or a look-up by id. */
  async read(request: ReadRequest): Promise<ReadResponse> {
    const found = await this.lifecycle.read(request.getId(), plainProperties(request.getProperties()));
    if (found === undefined) return new ReadResponse();
    return new ReadResponse()
      .setId(found.id)
      .setProperties(toStruct(found.state))
      .setInputs(toStruct(found.inputs))
      .setRefreshBeforeUpdate(this.isReadFirst(found.state));
  }

  async delete(request: DeleteRequest): Promise<void> {
    await this.lifecycle.delete(request.getId(), plainProperties(request.getProperties()));
  }

  /** @throws UserError where what only a preview may not know would be sent to the service. */
  private requireKnown(inputs: Properties): void {
    const open = Object.keys(inputs).filter((name) => containsUnknown(inputs[name]));
    if (open.length === 0) return;
    throw new UserError(`${open.map(this.voice.words.name).join(', ')}: not known yet; nothing was sent.`);
  }
}

/** What check answers. With a property named, the CLI would print its value, secrets in clear: the sentence names it. */
export function checkResponse(inputs: object, failures: readonly string[]): CheckResponse {
  const told = failures.map((reason) =>
    new CheckFailure().setProperty('').setReason(printableByEngine(reason)),
  );
  return new CheckResponse().setInputs(toStruct(inputs)).setFailuresList(told);
}

/** What a create will answer, as far as it is known before. */
const createPreview = ({ outputs }: ResourceShape, inputs: Properties): Properties => ({
  ...inputs,
  ...Object.fromEntries(Object.keys(outputs).map((name) => [name, UNKNOWN])),
});

/** What an update will answer, as far as it is known before. */
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
