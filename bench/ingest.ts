import { type Copied, type Cpu, type Done, itemsPerBatch, openForIngest, type Round } from './ingest/place.ts'
import { type Finding, inMs, type Measurement, median } from './measure.ts'

const rounds = 3
const full = { singles: 50_000, naive: 20_000, batches: 1_000, copied: 300_000, half: 10 }
const short = { singles: 10_000, naive: 4_000, batches: 200, copied: 50_000, half: 2 }

export const ingest: Measurement = {
  title: 'Sales of 1,000 machines into the database',
  about: `Three parts share the machine: a process that simulates 1,000 connected machines, the gateway with its broker in another process, and
    PostgreSQL, which commits to disk. Messages have QoS 1, and their PUBACK follows the commit. Each machine has a maximum of two
    messages in transit, since it sells one product after the other. There are two references. The naive handler uses the same broker
    and inserts each message separately on 20 connections, without de-duplication or sums. The COPY streams such rows into the same
    table as its owner, without row-level security or sums. The machines sell 24 products with three payment media, so nearly every
    sale has its own sums to update. All subjects run alternately in three rounds; the table shows medians of the rounds' ratios.
    “Sent again” repeats the same numbers; the run fails if that adds to the rows or the sums. All subjects warm up for some seconds
    before the first round. At half the load, the machines send bursts of two at half the rate for ten seconds, after a vacuum and a
    checkpoint. The WAL files exist in advance, as in an installation that has run for days. For scale: Mosquitto without persistence,
    which forwards the same messages to one subscriber with QoS 1. In brackets: CPU seconds per 1,000 messages (rows, with COPY).`,
  async run({ quick, say }) {
    const place = await openForIngest(say)
    try {
      await place.warmUp()
      const measured: Round[] = []
      for (let round = 1; round <= rounds; round++) {
        const one = await place.round(quick ? short : full)
        say(
          `round ${round}: single ${perSecond(one.single.first)}, naive ${perSecond(one.naive)}, COPY ${perSecond(one.copied)}, half load p99 ${inMs(one.half.p99)} (the host took ${one.half.stolenPercent.toFixed(1)} %)`,
        )
        measured.push(one)
      }
      if (!place.hasMosquitto) say('Mosquitto is not installed, so what it forwards is left out.')
      return findingsOf(measured)
    } finally {
      await place.stop()
    }
  },
}

function findingsOf(measured: readonly Round[]): Finding[] {
  const over = (of: (round: Round) => number) => median(measured.map(of))
  const rate = (of: (round: Round) => Done | Copied) =>
    `${counted(over((round) => of(round).rate))} sales/s (${cpuText(measured.map((round) => of(round).cpu))})`
  const single = (round: Round) => round.single.first
  const batch = (round: Round) => round.batch.first
  const copied = (round: Round) => round.copied
  const percent = (of: (round: Round) => Done) => over((round) => (of(round).rate / round.copied.rate) * 100)
  return [
    {
      what: 'one sale per message',
      figure: rate(single),
      reference: `naive ${rate((round) => round.naive)}`,
      value: over((round) => single(round).rate / round.naive.rate),
      promised: { atLeast: 1.5, unit: '×' },
    },
    {
      what: 'one sale per message',
      figure: `${counted(over((round) => single(round).rate))} sales/s`,
      reference: `COPY ${rate(copied)}`,
      value: percent(single),
      promised: { atLeast: 9, unit: '%' },
    },
    {
      what: 'p99 of the acknowledgement at half of that load',
      figure: `${inMs(over(({ half }) => half.p99))} (p50 ${inMs(over(({ half }) => half.p50))}) at ${rate(({ half }) => half)}`,
      value: over(({ half }) => half.p99),
      promised: { atMost: 50, unit: 'ms' },
    },
    {
      what: `${itemsPerBatch} sales per message`,
      figure: rate(batch),
      reference: `COPY ${counted(over(({ copied }) => copied.rate))} sales/s`,
      value: percent(batch),
      promised: { atLeast: 20, unit: '%' },
    },
    {
      what: 'all of it sent again',
      figure: `singly ${rate((round) => round.single.again)}, by ${itemsPerBatch} ${rate((round) => round.batch.again)}`,
      reference: 'the first time, as above',
      value: over(
        ({ single, batch }) =>
          (single.again.seconds + batch.again.seconds) / (single.first.seconds + batch.first.seconds),
      ),
      promised: { atMost: 1.2, unit: '×' },
    },
    ...(measured.every(({ forwarded }) => forwarded)
      ? [{ what: 'the same messages through Mosquitto', figure: rate((round) => round.forwarded as Done), value: 0 }]
      : []),
  ]
}

const counted = (value: number) => Math.round(value).toLocaleString('en')
const perSecond = ({ rate }: { rate: number }) => `${counted(rate)}/s`

/** The median of each part over the rounds. */
const cpuText = (rounds: readonly Cpu[]) =>
  Object.keys(rounds[0] ?? {})
    .map((who) => `${who} ${median(rounds.map((cpu) => cpu[who] ?? Number.NaN)).toFixed(3)}`)
    .join(', ')
