import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

describe('a saved report', () => {
  const body = { name: 'Coffee', type: 'products', preset: 'previousMonth' } as const
  const two = async () => {
    const merchantId = (await aMerchant(api.database)).id
    const scope = [{ merchantId, groups: 'all' as const }]
    const anna = api.as(await aUser(api.database, 'merchantUser', scope))
    const bruno = api.as(await aUser(api.database, 'merchantUser', scope))
    const boss = api.as(await aUser(api.database, 'merchantAdmin', scope))
    return {
      params: { merchantId },
      anna,
      bruno,
      boss,
      of: (reportId: string) => ({ params: { merchantId, reportId } }),
    }
  }

  test('is its owner’s until it is shared', async () => {
    const { params, anna, bruno, boss, of } = await two()
    const { id, version } = await anna.createReport({ params, body })
    expect(await bruno.listReports({ params })).toEqual([])
    await expect(boss.getSavedReport(of(id))).rejects.toMatchObject({ code: 'ReportNotFound' })
    const shared = await anna.updateReport({ ...of(id), body: { ...body, version, isShared: true } })
    expect((await bruno.listReports({ params })).map(({ isMine }) => isMine)).toEqual([false])
    await expect(bruno.deleteReport(of(id))).rejects.toMatchObject({ code: 'Forbidden' })
    const change = { ...body, isShared: true, version: shared.version }
    await expect(boss.updateReport({ ...of(id), body: { ...change, isShared: false } })).rejects.toMatchObject({
      code: 'Forbidden',
    })
    await expect(
      boss.updateReport({ ...of(id), body: { ...change, schedule: { every: 'day', hour: 7 } } }),
    ).rejects.toMatchObject({ code: 'Forbidden' })
    await boss.updateReport({ ...of(id), body: { ...change, name: 'Coffee of last month' } })
    await expect(anna.updateReport({ ...of(id), body: { ...change, name: 'Other' } })).rejects.toMatchObject({
      code: 'EditConflict',
    })
    await boss.deleteReport(of(id))
    expect(await anna.listReports({ params })).toEqual([])
  })

  test('has a name of its own, and a schedule only with a period that moves', async () => {
    const { params, anna } = await two()
    await anna.createReport({ params, body })
    await expect(anna.createReport({ params, body: { ...body, name: 'coffee' } })).rejects.toMatchObject({
      code: 'ReportNameTaken',
    })
    const fixed = { name: 'Fixed', startDate: '2026-11-01', endDate: '2026-11-02', schedule: { every: 'day', hour: 7 } }
    await expect(anna.createReport({ params, body: fixed as never })).rejects.toMatchObject({
      code: 'ValidationFailed',
    })
  })
})
