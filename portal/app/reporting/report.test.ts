import { expect, test } from 'vitest'
import { keepReports, type Report, report, takeReports } from './report.ts'

const error = (text: string): Report => ({ kind: 'error', error: text })

test('errors are queued until the reporter has loaded, then reported, and later ones are reported at once', () => {
  report(error('before anybody wanted it'))
  keepReports()
  for (let index = 0; index < 30; index += 1) report(error(`${index}`))
  const reports: Report[] = []
  takeReports((one) => reports.push(one))
  expect(reports).toEqual(Array.from({ length: 20 }, (_, index) => error(`${index}`)))
  report(error('later'))
  expect(reports.at(-1)).toEqual(error('later'))
})
