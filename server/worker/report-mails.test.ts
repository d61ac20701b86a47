import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aReport } from '#testkit/nouns/reports.ts'
import { type Message, openMail } from '../mail/mail.ts'
import { setPdfFonts } from '../pdf/fonts.ts'
import { mailReports } from './report-mails.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await database.admin(`select ensure_partitions('2026-11-01', '2026-11-30')`)
})
afterAll(() => database.close())

/** Tuesday at seven in Rome. */
const seven = new Date('2026-11-24T06:00:00Z')
const after = (minutes: number) => new Date(seven.getTime() + minutes * 60_000)
const config = { publicUrl: 'https://portal.example.com' }
const live = { announce: () => {} }
const log = { error: () => {} }

function aPost(refuse: () => boolean = () => false) {
  const sent: Message[] = []
  const mail = {
    send: async (message: Message) => {
      if (refuse()) throw new Error('The mail server is away')
      // Long enough for another worker to interleave.
      await new Promise((resolve) => setTimeout(resolve, 20))
      sent.push(message)
    },
  }
  return { sent, work: (at: Date) => mailReports({ doors: database, mail, live, log, config }, at) }
}

const daily = { every: 'day', hour: 7 }
const yesterday = { type: 'machines', preset: 'yesterday' }

/** A report of yesterday's sales by machine, due daily at seven. Yesterday two machines of two groups sold. */
async function aScheduled(role: Role = 'merchantAdmin', groupsSeen: 'all' | 'first' = 'all') {
  const merchant = await aMerchant(database)
  const groups = [await aGroup(database, merchant.id), await aGroup(database, merchant.id)] as const
  for (const [at, groupId] of groups.entries()) {
    const machine = await aMachine(database, merchant.id, { groupId, name: `Lobby ${at}` })
    await aSale(database, machine, { created_at: new Date('2026-11-23T10:00:00Z'), value: 100 * (at + 1) })
  }
  const scope = [{ merchantId: merchant.id, groups: groupsSeen === 'all' ? ('all' as const) : [groups[0]] }]
  const owner = await aUser(database, role, scope)
  const due = { next_at: seven, try_at: seven, schedule: daily, definition: yesterday }
  const id = await aReport(database, merchant.id, owner.id, { name: 'Daily sales', ...due })
  const state = async () =>
    (
      await database.admin<{ next_at: Date; last_sent_at: Date | null; failure: string | null }>(
        'select * from reports where id = $1',
        [id],
      )
    )[0]!
  return { merchant, groups, owner, id, state }
}

/** A colleague who reads a report beside its owner. */
async function aReader(
  { merchant, id }: Awaited<ReturnType<typeof aScheduled>>,
  groups: 'all' | string[] = 'all',
  language = 'en',
) {
  const user = await aUser(database, 'merchantUser', [{ merchantId: merchant.id, groups }])
  await database.admin('update users set language = $2 where id = $1', [user.id, language])
  await database.admin(
    'insert into report_readers (merchant_id, report_id, user_id, user_name) values ($1, $2, $3, $4)',
    [merchant.id, id, user.id, 'Reader'],
  )
  return user
}
const readerOf = async (userId: string) =>
  (
    await database.admin<{ failure: string | null }>('select failure from report_readers where user_id = $1', [userId])
  )[0]

const figuresIn = async (message: Message | undefined) => {
  const [sheet] = (await readXlsx(message?.attachments?.[1]?.bytes as Buffer)).sheets
  return sheet?.rows.map((row) => row.slice(0, 2))
}

test('a report is mailed once as PDF, workbook and CSV, in its owner’s language, by any number of workers', async () => {
  const { owner, state } = await aScheduled()
  await database.admin(`update users set language = 'de' where id = $1`, [owner.id])
  const post = aPost()
  await Promise.all([post.work(seven), post.work(seven), post.work(after(1))])
  await post.work(after(2))
  const [message, ...others] = post.sent.filter(({ to }) => to === owner.email)
  expect(others).toEqual([])
  expect(message?.subject).toBe('Daily sales: 23.11.2026')
  expect(message?.attachments?.map(({ name }) => name)).toEqual([
    'Daily sales 2026-11-23 2026-11-23.pdf',
    'Daily sales 2026-11-23 2026-11-23.xlsx',
    'Daily sales 2026-11-23 2026-11-23.csv',
  ])
  expect(message?.attachments?.[2]?.bytes.toString().split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^\uFEFFAutomat;Umsatz \(EUR\)/),
    expect.stringMatching(/^"Lobby 1";2,00/),
  ])
  expect(message?.attachments?.[0]?.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(await figuresIn(message)).toEqual([
    ['Automat', 'Umsatz (EUR)'],
    ['Lobby 1', 2],
    ['Lobby 0', 1],
    ['Summe', 3],
  ])
  expect(await state()).toMatchObject({ next_at: new Date('2026-11-25T06:00:00Z'), failure: null })
})

test('a mail has the scope that its owner has at that moment', async () => {
  const { owner } = await aScheduled('merchantUser', 'first')
  const post = aPost()
  await post.work(seven)
  const [message] = post.sent.filter(({ to }) => to === owner.email)
  expect((await figuresIn(message))?.map(([machine]) => machine)).toEqual(['Machine', 'Lobby 0', 'Total'])
})

test.each([
  ['is suspended', `update users set status = 'suspended' where id = $1`, 'UnauthorizedUserException'],
  ['was deleted', 'delete from users where id = $1', 'UnauthorizedUserException'],
  ['has lost the merchant', 'delete from user_merchants where user_id = $1', 'MerchantNotFoundException'],
])('an owner who %s gets nothing, and the report says why', async (_, statement, failure) => {
  const { owner, state } = await aScheduled()
  await database.admin(statement, [owner.id])
  const post = aPost()
  await post.work(seven)
  expect(post.sent.filter(({ to }) => to === owner.email)).toEqual([])
  expect(await state()).toMatchObject({ failure, last_sent_at: null, next_at: new Date('2026-11-25T06:00:00Z') })
})

test('a worker that dies after sending sends the same message again, and the mailbox has it once', async () => {
  const { owner, id, state } = await aScheduled()
  const hiddenMailbox = openMail({ smtpUrl: undefined, from: 'a@example.com', isMailboxShown: false, doors: database })
  const dying = {
    send: async (message: Message) => {
      if (message.to !== owner.email) return
      await hiddenMailbox.send(message)
      // The process ends here: its transaction is rolled back, and the report is still due.
      await database.admin(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where state = 'idle in transaction' and query not like '%mailbox%' and datname = current_database() and usename = 'gettone_app'`,
      )
    },
  }
  await mailReports({ doors: database, mail: dying, live, log, config }, seven).catch(() => {})
  expect(await state()).toMatchObject({ next_at: seven, last_sent_at: null })
  await mailReports({ doors: database, mail: hiddenMailbox, live, log, config }, after(1))
  expect((await state()).last_sent_at).toEqual(after(1))
  const rows = await database.admin(
    'select a.position from mailbox m join mailbox_attachments a on a.mail_id = m.id where m.recipient = $1 order by 1',
    [owner.email],
  )
  expect([id !== '', rows.map(({ position }) => position)]).toEqual([true, [0, 1, 2]])
})

test('a refused mail is tried again, and given up until the next one is due', async () => {
  const { owner, state } = await aScheduled()
  let isAway = true
  const post = aPost(() => isAway)
  await post.work(seven)
  expect(await state()).toMatchObject({ failure: 'MailRefused', next_at: seven })
  isAway = false
  await post.work(seven)
  expect(post.sent).toEqual([])
  await post.work(after(1))
  expect(post.sent.filter(({ to }) => to === owner.email)).toHaveLength(1)
  expect(await state()).toMatchObject({ failure: null })
})

test('without its PDF a report is not mailed: it says why, the log has the cause, and the next one is sent', async () => {
  const { owner, state } = await aScheduled()
  const post = aPost()
  const logged = vi.spyOn(log, 'error')
  onTestFinished(() => void setPdfFonts())
  setPdfFonts('/no/such/folder')
  await post.work(seven)
  expect(post.sent.filter(({ to }) => to === owner.email)).toEqual([])
  const tomorrow = new Date('2026-11-25T06:00:00Z')
  expect(await state()).toMatchObject({ failure: 'ReportPdfFailed', last_sent_at: null, next_at: tomorrow })
  expect(logged.mock.lastCall).toMatchObject([{ err: expect.any(Error) }, 'The PDF of a report could not be created'])
  logged.mockRestore()
  setPdfFonts()
  // A file is written again as soon as the cause is gone.
  await database.admin(`update reports set definition = definition || '{"preset": "thisMonth"}' where owner_id = $1`, [
    owner.id,
  ])
  await post.work(tomorrow)
  const [message] = post.sent.filter(({ to }) => to === owner.email)
  expect(message?.attachments?.[0]?.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(await state()).toMatchObject({ failure: null, last_sent_at: tomorrow })
})

test('a period without data is mailed as such, without files', async () => {
  const { owner, id } = await aScheduled()
  await database.admin('update reports set definition = $2 where id = $1', [id, { type: 'cash', preset: 'yesterday' }])
  const post = aPost()
  await post.work(seven)
  const [message] = post.sent.filter(({ to }) => to === owner.email)
  expect([message?.attachments, message?.text]).toEqual([undefined, expect.stringContaining('has no data')])
})

test('each reader gets the machines and the language of their own account', async () => {
  const scheduled = await aScheduled()
  const [group] = scheduled.groups
  const reader = await aReader(scheduled, [group], 'de')
  const post = aPost()
  await post.work(seven)
  await post.work(after(2))
  const of = (email: string) => post.sent.filter(({ to }) => to === email)
  expect([of(scheduled.owner.email).length, of(reader.email).length]).toEqual([1, 1])
  expect((await figuresIn(of(reader.email)[0]))?.map(([machine]) => machine)).toEqual(['Automat', 'Lobby 0', 'Summe'])
  expect(of(reader.email)[0]?.id).not.toBe(of(scheduled.owner.email)[0]?.id)
  expect(await scheduled.state()).toMatchObject({ next_at: new Date('2026-11-25T06:00:00Z'), failure: null })
})

test('a mail that one reader did not get is tried again for this reader alone', async () => {
  const scheduled = await aScheduled()
  const lucky = await aReader(scheduled)
  const late = await aReader(scheduled)
  const sent: string[] = []
  let isAway = true
  const mail = {
    send: async ({ to }: Message) => {
      if (to === late.email && isAway) throw new Error('The mailbox is full')
      sent.push(to)
    },
  }
  const work = (at: Date) => mailReports({ doors: database, mail, live, log, config }, at)
  await work(seven)
  expect(await scheduled.state()).toMatchObject({ failure: null, next_at: seven, last_sent_at: seven })
  expect(await readerOf(late.id)).toEqual({ failure: 'MailRefused' })
  isAway = false
  await work(after(1))
  expect(sent.toSorted()).toEqual([scheduled.owner.email, lucky.email, late.email].toSorted())
  expect(await readerOf(late.id)).toEqual({ failure: null })
  expect(await scheduled.state()).toMatchObject({ next_at: new Date('2026-11-25T06:00:00Z') })
})

test('a reader who has lost the merchant gets nothing, and the others do', async () => {
  const scheduled = await aScheduled()
  const gone = await aReader(scheduled)
  await database.admin('delete from user_merchants where user_id = $1', [gone.id])
  const post = aPost()
  await post.work(seven)
  expect(post.sent.map(({ to }) => to)).toEqual([scheduled.owner.email])
  expect(await readerOf(gone.id)).toEqual({ failure: 'MerchantNotFoundException' })
})
