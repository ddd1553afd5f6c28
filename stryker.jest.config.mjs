// The tests that mutants meet: those of the unit ring that know the mutated files.
import config from './jest.config.mjs';

const [unit] = config.projects;

export default {
  ...unit,
  // Hours of simulated traffic, about files that are not mutated.
  testPathIgnorePatterns: ['limiter'],
  testMatch: ['<rootDir>/tests/unit/api/**/*.test.ts', '<rootDir>/tests/unit/fields/**/*.test.ts'],
};
