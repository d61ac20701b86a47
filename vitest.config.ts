import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Checks that look at a migrated database. */
const checksOfDatabase = ['checks/generated.test.ts']

/** Two at a time: the tests share a small machine with their database and, in e2e, with a browser. */
const workers = 2

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: workers,
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
          exclude: checksOfDatabase,
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: [...['database', 'server', 'simulator', 'testkit', 'bench'].map(testsIn), ...checksOfDatabase],
          globalSetup: ['testkit/global-setup.ts'],
          testTimeout: 20_000,
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
          name: 'e2e',
          include: ['e2e', 'docs'].map(testsIn),
          globalSetup: ['testkit/global-setup.ts'],
          // After the others, which count on a machine without browsers.
          sequence: { groupOrder: 1 },
          // A browser beside its server on a busy machine is late now and then. What needed a second try is named at the end.
          retry: 1,
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})

function testsIn(folder: string) {
  return `${folder}/**/*.test.{ts,tsx}`
}
