import type { Aim } from './aim.ts'

const ofMerchant = ({ merchantId }: Aim) => ({ params: { merchantId } })
const ofRequest = ({ merchantId, dataRetrievalRequestId }: Aim) => ({ params: { merchantId, dataRetrievalRequestId } })

/** Sample calls of data retrieval requests. */
export const dataRetrievalSamples = {
  listDataRetrievalRequests: { input: ofMerchant },
  getDataRetrievalRequest: { input: ofRequest },
  createDataRetrievalRequest: {
    input: (aim: Aim) => ({
      ...ofMerchant(aim),
      body: { dataType: 'transactions', startDate: '2026-01-01', endDate: '2026-01-31', language: 'en' },
    }),
  },
  deleteDataRetrievalRequest: { input: ofRequest },
  downloadHistoricalData: { input: ({ retrievalToken }: Aim) => ({ params: { token: retrievalToken } }) },
}
