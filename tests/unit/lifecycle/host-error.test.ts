import { inspect } from 'node:util';
import { toHostError } from '../../../provider/src/lifecycle/host-error';
import { PartialFailure } from '../../../provider/src/lifecycle/partial-failure';
import { UserError } from '../../../provider/src/lifecycle/user-error';

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
