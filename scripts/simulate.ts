// npm run simulate: machines that sell over MQTT at the given rate, and a report on every sale. They are associated
// with a merchant's PIN at the first run, and stored in the data folder for the next run.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { demoMerchants } from '#demo/operators/merchants.ts'
import type { LatencySummary } from '#simulator/load/latencies.ts'
import { associateMember, openMemberFile } from '#simulator/load/members.ts'
import { runLoad } from '#simulator/load/run-load.ts'

const usage = `npm run simulate -- [options]
  --server URL       where machines are attached (http://localhost:8080)
  --broker URL       where they sell (mqtt://localhost:1883)
  --pin DIGITS       the merchant's PIN, to associate new machines (default: PIN of the first demo merchant)
  --machines N       how many (100)
  --rate N           sales per second, of all together (500)
  --minutes N        for how long (1)
  --batch N          sales in one message (1)
  --duplicated N     percent of messages that are sent twice (0)
  --reordered N      percent of messages that are overtaken by the next (0)
  --kept SECONDS     for how long machines keep sales after their acknowledgement, to send them again to a restored server (600)
  --zone NAME        what the machines' clocks show (Europe/Rome)`

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    server: { ...text, default: 'http://localhost:8080' },
    broker: { ...text, default: 'mqtt://localhost:1883' },
    pin: { ...text, default: demoMerchants[0]?.pin ?? '' },
    machines: { ...text, default: '100' },
    rate: { ...text, default: '500' },
    minutes: { ...text, default: '1' },
    batch: { ...text, default: '1' },
    duplicated: { ...text, default: '0' },
    reordered: { ...text, default: '0' },
    kept: { ...text, default: '600' },
    zone: { ...text, default: 'Europe/Rome' },
    help: { type: 'boolean' },
  },
})
if (values.help) end(0, usage)

const number = (
  name: 'machines' | 'rate' | 'minutes' | 'batch' | 'duplicated' | 'reordered' | 'kept',
  least: number,
) => {
  const read = Number(values[name])
  if (!(Number.isFinite(read) && read >= least)) end(1, `--${name} must be a number of at least ${least}.\n\n${usage}`)
  return read
}
const count = number('machines', 1)
const rate = number('rate', 1)
const minutes = number('minutes', 0.01)
const batch = number('batch', 1)
const duplicated = number('duplicated', 0) / 100
const reordered = number('reordered', 0) / 100
const keptSeconds = number('kept', 0)

const folder = resolve(import.meta.dirname, '..', process.env.DATA_DIR ?? '.data')
const file = openMemberFile(join(folder, 'load-machines.json'))
const all = file.of(values.server)
for (let index = all.length; index < count; index++) {
  const serial = `LOAD-${String(index + 1).padStart(5, '0')}`
  all.push(await associateMember(values.server, { serial, deviceType: 'AZVT', pin: values.pin, name: serial }))
  if (all.length % 100 === 0) file.keep(values.server, all)
}
const members = all.slice(0, count)
const save = () => file.keep(values.server, all)
save()

const report = await runLoad({
  members,
  broker: values.broker,
  timeZone: values.zone,
  rate,
  seconds: minutes * 60,
  itemsPerMessage: Math.min(500, Math.round(batch)),
  duplicated,
  reordered,
  keptSeconds,
  patienceSeconds: 60,
  onProgress: ({ second, sent, committed, waiting }) =>
    console.log(`${second} s: ${sent} sold, ${committed} stored, ${waiting} in transit`),
}).finally(save)

const written = (name: string, summary: LatencySummary | undefined) =>
  summary
    ? `${name}: p50 ${summary.p50.toFixed(1)} ms, p95 ${summary.p95.toFixed(1)} ms, p99 ${summary.p99.toFixed(1)} ms, worst ${summary.worst.toFixed(0)} ms`
    : `${name}: none`
end(
  report.lost === 0 ? 0 : 1,
  [
    '',
    `${report.machines} machines sold ${report.sent} times in ${report.seconds.toFixed(1)} s: ${report.rate.toFixed(0)} sales per second`,
    written('message to PUBACK', report.puback),
    written('sale to its stored acknowledgement', report.acknowledged),
    `stored ${report.committed}, not confirmed ${report.lost}`,
  ].join('\n'),
)

function end(code: number, sentence: string): never {
  console.log(sentence)
  process.exit(code)
}
