import type { Fault } from '../../emulator/src/index';
import type { HttpAnswer } from './support/http';
import { useService } from './support/service';

const service = useService();
const { post, ruleCount } = service;

describe('status', () => {
  const answerOf = async (fault: Omit<Extract<Fault, { kind: 'status' }>, 'kind'>): Promise<HttpAnswer> => {
    service.emulator.fault({ kind: 'status', ...fault });
    return post({ description: 'secret-text' });
  };

  test.each([400, 401, 403, 404, 408, 409, 422, 500, 502, 503, 504])(
    '%i without more: an error body, and nothing was done',
    async (status) => {
      const answer = await answerOf({ status });
      expect([answer.status, answer.json()]).toEqual([
        status,
        expect.objectContaining({ status_code: status }),
      ]);
      expect(ruleCount()).toBe(0);
    },
  );

  test('500 though done', async () => {
    expect((await answerOf({ status: 500, when: 'after' })).status).toBe(500);
    expect(ruleCount()).toBe(1);
  });

  test('a page of HTML with any status', async () => {
    const answer = await answerOf({ status: 502, rawBody: '<h1>bad gateway</h1>' });
    expect([answer.headers['content-type'], answer.text]).toEqual(['text/html', '<h1>bad gateway</h1>']);
  });

  test('an empty body', async () => {
    const answer = await answerOf({ status: 404, rawBody: '' });
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([404, '', '0']);
  });

  test.each([null, [], 'text', {}, 7])('200 with the JSON %j', async (json) => {
    const answer = await answerOf({ status: 200, body: json, when: 'after' });
    expect([answer.status, answer.headers['content-type'], answer.json()]).toEqual([
      200,
      'application/json',
      json,
    ]);
  });

  test('204 where a body is due', async () => {
    const answer = await answerOf({ status: 204, when: 'after' });
    expect([answer.status, answer.text, ruleCount()]).toEqual([204, '', 1]);
  });

  test.each(['7', 'Tue, 01 Jan 2030 00:00:00 GMT', '', '-1', '1e9', '2147483648', 'soon'])(
    '429 with Retry-After %j',
    async (value) => {
      const answer = await answerOf({ status: 429, headers: { 'Retry-After': value } });
      expect([answer.status, answer.headers['retry-after']]).toEqual([429, value]);
    },
  );

  test('429 with two Retry-After headers', async () => {
    const answer = await answerOf({ status: 429, headers: { 'Retry-After': ['1', '120'] } });
    const values = answer.rawHeaders.filter(
      (_, index, all) => all[index - 1]?.toLowerCase() === 'retry-after',
    );
    expect(values).toEqual(['1', '120']);
  });

  test('422 that quotes what was sent', async () => {
    const answer = await answerOf({ status: 422, echo: true });
    expect((answer.json() as { msg: string }).msg).toContain('secret-text');
  });

  test('400 of one megabyte', async () => {
    const answer = await answerOf({ status: 400, sizeBytes: 1_000_000 });
    expect(answer.text.length).toBeGreaterThan(1_000_000);
    expect(answer.json()).toMatchObject({ status_code: 400 });
  });

  test('JSON under another content type', async () => {
    const answer = await answerOf({ status: 200, body: {}, contentType: 'text/html' });
    expect([answer.headers['content-type'], answer.text]).toEqual(['text/html', '{}']);
  });
});
