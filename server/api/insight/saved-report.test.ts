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
    const brunoUser = await aUser(api.database, 'merchantUser', scope)
    const bossUser = await aUser(api.database, 'merchantAdmin', scope)
    const bruno = api.as(brunoUser)
    const boss = api.as(bossUser)
    return {
      params: { merchantId },
      anna,
      bruno,
      boss,
      ids: { bruno: brunoUser.id, boss: bossUser.id },
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

  test('keeps its columns, order and pivot', async () => {
    const { params, anna, of } = await two()
    const table = {
      by: ['machine', 'product'],
      figures: ['count', 'value'],
      pivot: 'count',
      ord: 'count',
      ordType: 'ASC',
      ordKey: 'Water',
    }
    const { id } = await anna.createReport({ params, body: { ...body, ...table } as never })
    expect(await anna.getSavedReport(of(id))).toMatchObject(table)
    await expect(
      anna.createReport({ params, body: { ...body, name: 'Flat', by: ['machine'], pivot: 'count' } }),
    ).rejects.toMatchObject({ code: 'ValidationFailed' })
  })

  test('is copied to colleagues, who own their copy; a name that is taken gets a number', async () => {
    const { params, anna, bruno, boss, ids, of } = await two()
    const { id } = await anna.createReport({
      params,
      body: { ...body, figures: ['value'], schedule: { every: 'day', hour: 7 } },
    })
    await anna.copyReport({ ...of(id), body: { userIds: [ids.bruno, ids.boss] } })
    await anna.copyReport({ ...of(id), body: { userIds: [ids.bruno] } })
    const copies = await bruno.listReports({ params })
    expect(copies).toMatchObject([
      { name: 'Coffee', isMine: true, isShared: false, schedule: null, figures: ['value'] },
      { name: 'Coffee (2)', isMine: true },
    ])
    expect(await boss.listReports({ params })).toHaveLength(1)
    await bruno.deleteReport(of(copies[0]?.id ?? ''))
    expect(await anna.getSavedReport(of(id))).toMatchObject({ name: 'Coffee', isMine: true })
  })

  test('is not copied to users of other merchants, nor by users who do not see it', async () => {
    const { params, anna, bruno, ids, of } = await two()
    const stranger = await two()
    const { id } = await anna.createReport({ params, body })
    await expect(anna.copyReport({ ...of(id), body: { userIds: [stranger.ids.bruno] } })).rejects.toMatchObject({
      code: 'UserNotFound',
    })
    await expect(bruno.copyReport({ ...of(id), body: { userIds: [ids.bruno] } })).rejects.toMatchObject({
      code: 'ReportNotFound',
    })
  })

  test('has readers, who see it and may leave; only its owner chooses them', async () => {
    const { params, anna, bruno, boss, ids, of } = await two()
    const schedule = { every: 'day', hour: 7 } as const
    const { id, version } = await anna.createReport({ params, body: { ...body, schedule, readerIds: [ids.bruno] } })
    expect(await bruno.listReports({ params })).toMatchObject([{ id, isMine: false, isRead: true }])
    await expect(boss.getSavedReport(of(id))).rejects.toMatchObject({ code: 'ReportNotFound' })
    const change = { ...body, schedule, isShared: true, version }
    const shared = await anna.updateReport({ ...of(id), body: { ...change, readerIds: [ids.bruno, ids.boss] } })
    expect(shared.readers.map(({ id: reader }) => reader).toSorted()).toEqual([ids.bruno, ids.boss].toSorted())
    await expect(
      boss.updateReport({ ...of(id), body: { ...change, version: shared.version, readerIds: [ids.boss] } }),
    ).rejects.toMatchObject({ code: 'Forbidden' })
    await bruno.leaveReport(of(id))
    expect(await bruno.getSavedReport(of(id))).toMatchObject({ isRead: false, readerIds: [ids.boss] })
    expect((await anna.listReportColleagues({ params })).map(({ id: one }) => one).toSorted()).toEqual(
      [ids.bruno, ids.boss].toSorted(),
    )
  })
})
