import { randomUUID } from 'node:crypto'
import type { reports } from '#contract/insight/report.ts'
import type { AnyInput } from '../api.ts'
import type { Aim } from './aim.ts'

const days = {
  startDate: new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10),
  endDate: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
}
const ofMerchant = ({ merchantId }: Aim) => ({ params: { merchantId } })
const ofReport = ({ merchantId, reportId }: Aim) => ({ params: { merchantId, reportId } })
const filtered = (aim: Aim) => ({
  ...ofMerchant(aim),
  query: { ...days, type: 'machines', groupIds: [aim.groupId], posIds: [aim.posId] },
})
const aBody = () => ({ name: randomUUID(), isShared: true, type: 'machines', preset: 'last7Days' })

/** A valid call of each endpoint of reports. */
export const reportSamples: Record<keyof typeof reports, { input: (aim: Aim) => AnyInput }> = {
  getReport: { input: filtered },
  getReportOfAll: { input: () => ({ query: { ...days, type: 'machines' } }) },
  getReportPdf: { input: filtered },
  getReportXlsx: { input: filtered },
  getReportCsv: { input: filtered },
  getRefundFigures: {
    input: (aim) => ({ ...ofMerchant(aim), query: { ...days, groupIds: [aim.groupId], posIds: [aim.posId] } }),
  },
  listReportParameters: { input: ofMerchant },
  listReports: { input: ofMerchant },
  getSavedReport: { input: ofReport },
  createReport: { input: (aim) => ({ ...ofMerchant(aim), body: aBody() }) },
  updateReport: { input: (aim) => ({ ...ofReport(aim), body: { ...aBody(), version: 1 } }) },
  deleteReport: { input: ofReport },
  listReportColleagues: { input: ofMerchant },
  copyReport: { input: (aim) => ({ ...ofReport(aim), body: { userIds: [aim.userId] } }) },
  leaveReport: { input: ofReport },
  sendReport: { input: ofReport },
}
