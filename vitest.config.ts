import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Checks that look at a migrated database. */
const checksOfDatabase = ['checks/generated.test.ts']

const componentTests = 'portal/**/*.component.test.tsx'

/** Tests of installing, starting and broken data folders, which take long and concern few changes. */
const installers = [
  'server/backup/backup-faults.test.ts',
  'scripts/bootstrap.test.ts',
  'scripts/installation.test.ts',
  'server/postgres/faults.test.ts',
  'server/main-faults.test.ts',
]

/** What only several nodes can show; `npm run test:distributed` runs the tests of the database on them. */
const isDistributed = Boolean(process.env.CITUS_URLS)
const testsOfNodes = ['database/distribute/nodes.test.ts', 'server/gateway/moved-merchant.test.ts']
/** What replaces Citus by functions of its own, and what compares with the catalog of one node. */
const testsOfOneNode = ['database/distribute/distribute.test.ts', ...checksOfDatabase]

/** On two cores: many of these tests wait for a machine, a database or a clock, and leave their core to a third. */
const workers = 3

/** A browser keeps a core busy by itself. */
const browserWorkers = 2

const betweenFiles = 'testkit/between-files.ts'

/** Refuses statements that a distributed database would. */
const guard = [betweenFiles, 'testkit/statement-guard.ts']

/** What tests that drive a browser share. */
const browserTest = {
  maxWorkers: browserWorkers,
  globalSetup: ['testkit/global-setup.ts'],
  setupFiles: guard,
  expect: { poll: { timeout: 15_000 } },
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: workers,
    // Files of a worker share what they load: most of a short file's time would go into loading the server again.
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
          setupFiles: [betweenFiles],
          include: ['agent', 'contract', 'domain', 'language', 'portal', 'checks', 'scripts'].map(testsIn),
          exclude: [...checksOfDatabase, ...installers, componentTests],
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          // Parts of screens that need no server: forms, lists, the grid.
          name: 'component',
          environment: 'jsdom',
          testTimeout: 60_000,
          include: [componentTests],
          setupFiles: [betweenFiles, 'testkit/component/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: [
            ...['client', 'database', 'server', 'simulator', 'demo', 'testkit', 'bench'].map(testsIn),
            ...checksOfDatabase,
          ],
          exclude: isDistributed ? [...installers, ...testsOfOneNode] : [...installers, ...testsOfNodes],
          globalSetup: ['testkit/global-setup.ts'],
          setupFiles: guard,
          expect: { poll: { timeout: isDistributed ? 60_000 : 15_000 } },
          testTimeout: isDistributed ? 180_000 : 40_000,
          hookTimeout: isDistributed ? 180_000 : 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: [testsIn('faults')],
          globalSetup: ['testkit/global-setup.ts'],
          setupFiles: guard,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          expect: { poll: { timeout: 15_000 } },
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
