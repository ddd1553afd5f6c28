import { inspect } from 'node:util';
import { ApiError } from '../../../provider/src/api/errors';
import { toHostError } from '../../../provider/src/errors/host-error';
import { PartialFailure } from '../../../provider/src/errors/partial-failure';
import { UserError } from '../../../provider/src/errors/user-error';

const reference = { __provider: 'constant' };

test('a finished sentence passes without a stack', () => {
  const error = toHostError(new UserError('what to do'), reference);
  expect(error).toMatchObject({ message: 'what to do', stack: '' });
  expect(error).not.toHaveProperty('id');
});

test('a partial failure keeps id, known properties and the provider reference, and no absent value', () => {
  const failure = new PartialFailure({
    id: 'ipr_1',
    state: { cidr: '10.0.0.0/8', metadata: undefined },
    reasons: ['a', 'b'],
  });
  expect(toHostError(failure, reference)).toMatchObject({
    id: 'ipr_1',
    properties: { cidr: '10.0.0.0/8', __provider: 'constant' },
    reasons: ['a', 'b'],
    message: 'a\nb',
  });
});

test('a foreign error loses its text and an id that the host would take for "created"', () => {
  const foreign = Object.assign(new TypeError('Bearer hunter2'), { id: 'x', config: { headers: 'hunter2' } });
  const error = toHostError(foreign, reference);
  expect(error.message).toMatch(/^internal error, please report it: TypeError at /);
  expect(error).not.toHaveProperty('id');
  expect(inspect(error, { depth: 9 })).not.toContain('hunter2');
  expect(toHostError('hunter2', reference).message).toBe('internal error, please report it: string');
});

const advice = (): string => 'where the key came from';

test('a message about a refused key says where the key came from, however it is wrapped', () => {
  const fields = { method: 'GET', path: '/x', outcome: 'definite', isQualified: true } as const;
  const refused = new ApiError({ ...fields, status: 401 });
  expect(toHostError(refused, reference, { advice }).message).toBe(
    `${refused.message}\nwhere the key came from`,
  );
  const reasons = ['one', `update 10.0.0.0/8: ${refused.message}`];
  const failure = new PartialFailure({ id: 'ipr_1', state: {}, reasons });
  expect(toHostError(failure, reference, { advice })).toMatchObject({
    reasons: [...reasons, 'where the key came from'],
    message: [...reasons, 'where the key came from'].join('\n'),
  });
  const other = new ApiError({ ...fields, status: 404 });
  expect(toHostError(other, reference, { advice }).message).toBe(other.message);
});

test('texts of the service reach the engine without terminal sequences and without its own directives', () => {
  const text = 'not a network: \u001b[2J\u009b31m\u202e<{%reset%}>';
  const shown = 'not a network: \\u{1b}[2J\\u{9b}31m\\u{202e}\\u{3c}{%reset%}>';
  expect(toHostError(new UserError(text), reference).message).toBe(shown);
  const failure = new PartialFailure({ id: 'ipr_1', state: {}, reasons: [text] });
  expect(toHostError(failure, reference)).toMatchObject({ message: shown, reasons: [shown] });
});
