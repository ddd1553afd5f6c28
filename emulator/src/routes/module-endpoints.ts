import { Refusal, type Answer } from '../answer';
import type { Call, Endpoint } from '../endpoint';
import { extraFields, invalid, readFields, type ModuleKind, parametersOf } from './fields';
import { moduleKind, type ModuleName } from './modules';

/** Sections 4.2 and 4.3 of the document: every module has the same three operations. */
export function moduleEndpoints(name: ModuleName): Endpoint[] {
  const kind = moduleKind(name);
  const { path } = kind;
  const of = (call: Call): Place => ({ call, name, kind, id: idOf(kind, call) });
  return [
    { method: 'PUT', path, handle: (call) => replace(of(call)) },
    { method: 'GET', path, handle: (call) => get(of(call)) },
    { method: 'DELETE', path, handle: (call) => remove(of(call)) },
  ];
}

interface Place {
  readonly call: Call;
  readonly name: ModuleName;
  readonly kind: ModuleKind;
  readonly id: string;
}

const idOf = (kind: ModuleKind, { parameters }: Call): string =>
  parametersOf(kind)
    .map((name) => parameters[name] ?? '')
    .join('/');

function replace(place: Place): Answer {
  const { call, name, id, kind } = place;
  const { missingParentOnPut } = call.service.switches;
  if (!hasParent(place))
    throw new Refusal(Number(missingParentOnPut), 'ERR_PARENT_NOT_FOUND', `${id} not found.`);
  const module = readModule(kind, call);
  call.account.changeModule(name, id, { to: module, atMs: call.service.nowMs() });
  return { status: 200, body: shown(place, module) };
}

function readModule(kind: ModuleKind, call: Call): object {
  const { switches } = call.service;
  const sent = readFields(call, Object.keys(kind.fields));
  const entries = Object.entries(kind.fields).map(([name, { isRequired, empty, read }]) => {
    const value = read(sent, name, switches);
    if (value === undefined && (isRequired === true || switches.partialPut === '400'))
      throw invalid(`The field ${name} is required.`);
    return [name, value ?? empty];
  });
  return Object.fromEntries(entries) as object;
}

function get(place: Place): Answer {
  const { call, name, id, kind } = place;
  const { missingModuleOnGet: position, moduleLagMs } = call.service.switches;
  const module = call.account.moduleAt(name, id, call.service.nowMs() - moduleLagMs);
  if (module !== undefined) return { status: 200, body: shown(place, module) };
  // A missing edge or route is a 404 in every position.
  if (position === '404' || !hasParent(place)) throw notFound(place);
  if (position === 'null') return { status: 200, body: null };
  const defaults = Object.entries(kind.fields).map(([field, { empty }]) => [field, empty]);
  return { status: 200, body: position === 'empty-object' ? {} : Object.fromEntries(defaults) };
}

function remove(place: Place): Answer {
  const { call, name, id } = place;
  const atMs = call.service.nowMs();
  if (call.account.changeModule(name, id, { to: undefined, atMs })) return { status: 204 };
  if (call.service.switches.missingModuleOnDelete === '204' && hasParent(place)) return { status: 204 };
  throw notFound(place);
}

function shown({ call, kind }: Place, module: object): object {
  const { switches } = call.service;
  const entries = Object.entries(kind.fields).map(([name, { show = verbatim }]) => {
    const value: unknown = Reflect.get(module, name);
    return [name, show(value, switches)] as const;
  });
  return { ...Object.fromEntries(entries), ...extraFields(call.service) };
}

const verbatim = (value: unknown): unknown => value;

const hasParent = ({ call, kind, id }: Place): boolean =>
  call.account.hasParent(kind.parent, id, call.service.switches.parents);

const notFound = ({ id, kind }: Place): Refusal =>
  new Refusal(404, 'ERR_MODULE_NOT_FOUND', `${id} has no ${kind.name}.`);
