import { setTimeout as pause } from 'node:timers/promises'
import { addDays, dayIn } from '#domain/time/period.ts'
import type { Identity } from '../identity.ts'

/** The table of each file, and the column with the time of its rows. Stock movements are of two tables, and are left out. */
const tables = {
  transactions: { transactions: ['transactions', 'created_at'] },
  auditsParsed: { audits: ['audits', 'read_at'] },
  alarms: { alarms: ['alarms', 'created_at'], events: ['events', 'at'] },
  cash: { 'cash-readings': ['cash_readings', 'at'], 'cash-collections': ['collections', 'at'] },
  readings: { readings: ['readings', 'at'], 'sensor-readings': ['sensor_readings', 'hour'] },
  commands: { 'remote-commands': ['remote_commands', 'created_at'] },
} as const

/** Files of historical data have the rows of their range: no more, no fewer. The language decides how dates are written, not which rows. */
export const retrievedRows: Identity = {
  title: 'files of historical data have as many rows as the merchant’s days have',
  async check(day) {
    const api = await day.as('superAdmin')
    const [merchantId = ''] = day.merchantIds
    const params = { merchantId }
    const { timeZone } = await api.getMerchant({ params })
    const yesterday = addDays(dayIn(day.to, timeZone), -1)
    const broken: object[] = []
    let checked = 0
    for (const [dataType, files] of Object.entries(tables)) {
      const body = {
        dataType: dataType as keyof typeof tables,
        startDate: yesterday,
        endDate: yesterday,
        language: 'de' as const,
      }
      const { id } = await api.createDataRetrievalRequest({ params, body })
      const find = () => api.getDataRetrievalRequest({ params: { merchantId, dataRetrievalRequestId: id } })
      let request = await find()
      for (let tries = 0; request.status === 'created' && tries < 300; tries++) {
        await pause(200)
        request = await find()
      }
      for (const [name, [table, column]] of Object.entries(files)) {
        const [stored] = await day.sql<{ count: number }>(
          `select count(*)::int as count from ${table} where merchant_id = $1 and (${column} at time zone $2)::date = $3::date`,
          [merchantId, timeZone, yesterday],
        )
        const rows = request.files.find((file) => file.name === name)?.rows
        checked++
        if (request.status !== 'completed' || rows !== stored?.count)
          broken.push({ name, rows, stored, status: request.status })
      }
    }
    return { checked, broken }
  },
}
