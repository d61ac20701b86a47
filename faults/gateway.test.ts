import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aGatewayProcess, aLoadFleet, breakablePostgres, expectNothingLost, isFull, sellThrough } from './harness.ts'

const place = breakablePostgres()
const rate = isFull ? 500 : 200

async function aPlace(machines = isFull ? 100 : 20) {
  const { database } = place
  const members = await aLoadFleet(database, machines)
  const gateway = await aGatewayProcess(database)
  return { database, members, gateway, broker: gateway.mqttUrl }
}

test('a gateway that is killed under load repeatedly loses nothing that it acknowledged', async () => {
  const { database, members, gateway, broker } = await aPlace()
  const kills = isFull ? 20 : 2
  const report = await sellThrough({ broker, members, rate, seconds: 6 }, async ({ over, caughtUp }) => {
    for (let time = 0; time < kills; time++) {
      await caughtUp()
      await pause(Math.random() * 1_000)
      over()
      await gateway.kill('SIGKILL')
      await gateway.start()
    }
  })
  await expectNothingLost(`kill -9 of the gateway, ${kills} times`, database, report)
})

test('a gateway that gets SIGTERM under load finishes its started work', async () => {
  const { database, members, gateway, broker } = await aPlace()
  const report = await sellThrough({ broker, members, rate, seconds: isFull ? 20 : 5 }, async ({ over }) => {
    await pause(2_000)
    over()
    await gateway.kill('SIGTERM')
    await gateway.start()
  })
  await expectNothingLost('SIGTERM under load', database, report)
})

test('a gateway without a free file descriptor waits for one, and sets nothing aside', async () => {
  const { database, members, gateway, broker } = await aPlace()
  const seconds = isFull ? 30 : 4
  const limit = (count: string) => execFileSync('prlimit', ['--pid', String(gateway.pid()), `--nofile=${count}:`])
  const report = await sellThrough({ broker, members, rate, seconds: 6 }, async ({ over }) => {
    await pause(2_000)
    // From here on the system refuses its connections to the database (EMFILE): ended connections free low numbers, so the limit
    // is below all of them. Machines stay connected.
    limit('8')
    const connected = `from pg_stat_activity where application_name in ('gettone_app', 'gettone_system')`
    await database.admin(`select pg_terminate_backend(pid) ${connected}`)
    await pause(seconds * 1000)
    expect(await database.admin(`select pid ${connected}`)).toEqual([])
    limit('4096')
    over()
  })
  await expectNothingLost(`no descriptor left in the gateway for ${seconds} s`, database, report)
  expect(await database.admin('select reason, count(*) from dead_letters group by 1')).toEqual([])
})

test('messages that arrive twice or in disorder count once', async () => {
  const { database, members, broker } = await aPlace()
  const load = { broker, members, rate, seconds: isFull ? 30 : 2, duplicated: 0.1, reordered: 0.1 }
  await expectNothingLost('10 % of the messages twice, 10 % reordered', database, await sellThrough(load))
})

test.each([
  ['a day ahead', 86_400],
  ['a day behind', -86_400],
])('sales count on the current day although the machines’ clocks are %s', async (how, clockErrorSeconds) => {
  const { database, members, broker } = await aPlace()
  const load = { broker, members, rate, seconds: isFull ? 10 : 1, clockErrorSeconds }
  await expectNothingLost(`clocks ${how}`, database, await sellThrough(load))
  const [row] = await database.admin<{ wrong: number }>(
    `select count(*)::int as wrong from transactions t join machines m on m.id = t.machine_id
     where m.serial = any($1) and abs(extract(epoch from t.created_at - t.saved_at)) > 600`,
    [members.map(({ serial }) => serial)],
  )
  expect(row?.wrong).toBe(0)
})

test('all machines reconnect at once', async () => {
  const { database, members, gateway, broker } = await aPlace(isFull ? 1_000 : 100)
  const report = await sellThrough({ broker, members, rate, seconds: isFull ? 20 : 6 }, async ({ over }) => {
    await pause(2_000)
    // Every connection breaks at once, and each machine retries a second later.
    over()
    await gateway.kill('SIGKILL')
    await gateway.start()
  })
  await expectNothingLost('all machines reconnect at once', database, report)
})
