import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Checks that look at a migrated database. */
const checksOfDatabase = ['checks/generated.test.ts']

/** Tests of installing and starting, which take long and concern few changes. */
const installers = ['scripts/bootstrap.test.ts', 'scripts/installation.test.ts']

/** What tests that drive a browser share. */
const browserTest = {
  globalSetup: ['testkit/global-setup.ts'],
  expect: { poll: { timeout: 15_000 } },
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

/** Two at a time: the tests share a small machine with their database and, in e2e, with a browser. */
const workers = 2

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: workers,
    // Most of a short file's time would go into loading the server or the portal again. A file leaves nothing behind.
    isolate: false,
    reporters: ['default'],
    projects: [
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'unit',
          // Some checks read the whole tree.
          testTimeout: 60_000,
          include: ['contract', 'domain', 'language', 'portal', 'checks', 'scripts'].map(testsIn),
          exclude: [...checksOfDatabase, ...installers],
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: [...['database', 'server', 'simulator', 'testkit', 'bench'].map(testsIn), ...checksOfDatabase],
          globalSetup: ['testkit/global-setup.ts'],
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 40_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: [testsIn('faults')],
          globalSetup: ['testkit/global-setup.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          // At full length twenty kills are twenty starts, on whatever machine.
          testTimeout: process.env.FAULTS === 'full' ? 1_200_000 : 300_000,
        },
      },
      {
        extends: true,
        test: {
          ...browserTest,
          // The flows that make money and safety.
          name: 'e2e',
          include: ['e2e/*.test.ts', testsIn('docs')],
          // After the others, which count on a machine without browsers.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...browserTest,
          // Every screen, every part of the frame, and what installs the product; `npm run test:full` alone runs them.
          name: 'full',
          include: [testsIn('e2e/full'), ...installers],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

function testsIn(folder: string) {
  return `${folder}/**/*.test.{ts,tsx}`
}
