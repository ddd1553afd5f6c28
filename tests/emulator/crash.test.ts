import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Dice } from '../support/dice';
import { startCommand, type RunningCommand } from './support/command';
import { failureOf } from './support/http';
import { callEmulator } from './support/service';

const kills = 20;
const writers = 8;

/** What the service has answered: the rule must be there, or must be gone. */
class Answered {
  readonly live = new Map<string, string>();
  readonly deleted = new Set<string>();
  /** Rules whose change or deletion got no answer: it may have happened or not. */
  readonly undecided = new Set<string>();
}

let lastNetwork = 0;

function nextRule(): object {
  lastNetwork += 1;
  const cidr = `10.${lastNetwork >> 8}.${lastNetwork & 255}.0/24`;
  return { cidr, ip_policy_id: 'ipp_1', action: 'deny', description: `rule ${lastNetwork}` };
}

/** Creates, changes and deletes rules until the service dies, and notes what was answered. */
async function write(url: string, answered: Answered): Promise<void> {
  const path = '/ip_policy_rules';
  for (;;) {
    const made = await callEmulator(url, { method: 'POST', path, body: nextRule() });
    if (made.status !== 201) throw new Error(`create answered ${made.status}`);
    const { id, description } = made.json() as { id: string; description: string };
    answered.live.set(id, description);
    await (lastNetwork % 2 === 0 ? change : remove)(url, id, answered);
  }
}

async function change(url: string, id: string, answered: Answered): Promise<void> {
  const description = `changed ${id}`;
  answered.undecided.add(id);
  await callEmulator(url, { method: 'PATCH', path: `/ip_policy_rules/${id}`, body: { description } });
  answered.undecided.delete(id);
  answered.live.set(id, description);
}

async function remove(url: string, id: string, answered: Answered): Promise<void> {
  answered.undecided.add(id);
  await callEmulator(url, { method: 'DELETE', path: `/ip_policy_rules/${id}` });
  answered.undecided.delete(id);
  answered.live.delete(id);
  answered.deleted.add(id);
}

/** Resolves when as many more requests have been answered: a random point in the load, without looking at a clock. */
async function afterAnswers(answered: Answered, count: number): Promise<void> {
  const done = (): number => answered.live.size + 2 * answered.deleted.size;
  const target = done() + count;
  while (done() < target) await new Promise(setImmediate);
}

async function heldRules(url: string): Promise<Map<string, string>> {
  const rules = new Map<string, string>();
  for (let next: string | null = '/ip_policy_rules'; next !== null;) {
    const answer = await callEmulator(url, { method: 'GET', path: next.replace(url, '') });
    const page = answer.json() as { ip_policy_rules: Rule[]; next_page_uri: string | null };
    for (const rule of page.ip_policy_rules) rules.set(rule.id, rule.description);
    next = page.next_page_uri;
  }
  return rules;
}

interface Rule {
  id: string;
  description: string;
}

test(`--data: ${kills} SIGKILLs under a load of writes lose no answered one`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'emulator-crash-'));
  const args = ['--port', '0', '--journal', 'off', '--data', join(folder, 'data.jsonl')];
  const answered = new Answered();
  const dice = new Dice(1);
  for (let round = 0; round < kills; round += 1) {
    const emulator: RunningCommand = await startCommand(args);
    const load = Array.from({ length: writers }, () => write(emulator.url, answered));
    const ended = Promise.all(load.map(failureOf));
    await afterAnswers(answered, 1 + dice.below(60));
    expect(await emulator.end('SIGKILL')).toBeNull();
    for (const failure of await ended) expect(failure).toMatch(/^(ECONNRESET|ECONNREFUSED)$/);
  }
  const survivor = await startCommand(args);
  const held = await heldRules(survivor.url);
  await survivor.end('SIGTERM');
  const decided = [...answered.live].filter(([id]) => !answered.undecided.has(id));
  expect(decided.length).toBeGreaterThan(kills);
  expect(decided.filter(([id, description]) => held.get(id) !== description)).toEqual([]);
  expect([...answered.deleted].filter((id) => held.has(id))).toEqual([]);
  rmSync(folder, { recursive: true });
}, 120_000);
