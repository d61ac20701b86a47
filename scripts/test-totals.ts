/** The used parts of vitest's JSON report. */
export type Report = {
  success: boolean
  testResults: {
    name: string
    status: string
    /** Milliseconds. */
    startTime?: number
    endTime?: number
    assertionResults: { fullName: string; status: string }[]
  }[]
}

/** `slowest` names the ten files that took longest. */
export type Totals = {
  passed: number
  failed: number
  skipped: string[]
  slowest: { name: string; seconds: number }[]
}

/**
 * Counts a run. A file that failed to load counts as one failure. So does a run that failed for another reason (an
 * error outside the tests, no report, no tests): a broken run never counts as passed.
 */
export function totalsOf(report: Report | undefined, exitCode: number | null): Totals {
  const files = report?.testResults ?? []
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter((test) => test.status === 'passed').length
  const unloaded = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const failed = tests.filter((test) => test.status === 'failed').length + unloaded
  const isBroken = exitCode !== 0 || report?.success !== true || passed + failed === 0
  return {
    passed,
    failed: failed === 0 && isBroken ? 1 : failed,
    skipped: tests.filter((test) => !['passed', 'failed'].includes(test.status)).map((test) => test.fullName),
    slowest: files
      .map(({ name, startTime = 0, endTime = 0 }) => ({ name, seconds: (endTime - startTime) / 1000 }))
      .sort((one, other) => other.seconds - one.seconds)
      .slice(0, 10),
  }
}
