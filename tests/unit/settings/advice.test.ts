import { keyAdvice, misspeltSettings } from '../../../provider/src/settings/advice';

const key = 'key-5f0c';
const configured = (name: string): string | undefined => (name === 'edge-policy:apiKey' ? key : undefined);

test('a key of the configuration: refresh and destroy go by the state, and there are three ways out', () => {
  const said = keyAdvice({ config: configured, environment: {} });
  expect(said).toContain('read from edge-policy:apiKey');
  expect(said).toContain('read it from the state');
  expect(said).toContain('"pulumi refresh --run-program" or "pulumi destroy --run-program"');
  expect(said).toContain('EDGE_POLICY_API_KEY is never stored');
  expect(said).not.toContain(key);
});

test('a key of the environment is never in state, so only the variable is named', () => {
  const environment = { EDGE_POLICY_API_KEY: key };
  expect(keyAdvice({ config: () => undefined, environment })).toBe(
    'The key was read from the environment variable EDGE_POLICY_API_KEY.',
  );
});

test('a key that is no setting is named with the one that was meant, or with all of them', () => {
  expect(misspeltSettings(['edge-policy:apikey', 'edge-policy:colour', 'project:apikey'])).toEqual([
    expect.stringMatching(/^edge-policy:apikey is not a setting .*did you mean edge-policy:apiKey\?$/),
    expect.stringMatching(/^edge-policy:colour is not a setting .*the settings are apiKey, baseUrl/),
  ]);
});
