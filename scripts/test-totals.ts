/** What the totals need of vitest's JSON report. */
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
 * Counts a run. A file that could not even be loaded counts as one failure, and so does a run that failed for any other
 * reason (an error outside the tests, no report, not one test): a broken run is never counted as a good one.
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
