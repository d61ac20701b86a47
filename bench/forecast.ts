import { daysKept, forecastMachine } from '#domain/stock/forecast/forecast.ts'
import { addDays } from '#domain/time/period.ts'
import { compareForecasts, type Errors } from '#testkit/stock/forecast-errors.ts'
import { drive, forecast, weekdayAverage } from '#testkit/stock/simulated-rounds.ts'
import { type ShapeName, shapes, siteOf } from '#testkit/stock/simulated-sales.ts'
import type { Finding, Measurement } from './measure.ts'

const seeds = { all: 6, quick: 2 }
const roundSeeds = { all: 3, quick: 1 }
/** Forecasts are computed on every so many days. */
const step = 9
const names = Object.keys(shapes) as ShapeName[] // Cast: the keys of a literal.

const horizons = {
  day: 'a day of the coming two weeks',
  week: 'the coming week',
  fortnightLater: 'the two weeks after the next two',
} as const satisfies Record<keyof Errors, string>

const pieces = (number: number) => `${number.toFixed(2)} pieces`

/** The mean absolute error of the forecast against that of the average. */
function finding(what: string, errors: { forecast: number; average: number }, atMost: number): Finding {
  return {
    what,
    figure: pieces(errors.forecast),
    reference: `average ${pieces(errors.average)}`,
    value: errors.forecast / errors.average,
    promised: { atMost, unit: '×' },
  }
}

/** Forecasts of a machine with forty selections. */
function millisecondsOfMachine(): number {
  const { firstDay, isHoliday, selections } = siteOf('office', 1)
  const courses = Array.from({ length: 4 }, () => selections)
    .flat()
    .map(({ course }) => ({ sold: course.sold.slice(-daysKept), shown: course.shown.slice(-daysKept) }))
  const machine = { lastDay: addDays(firstDay, (selections[0]?.course.sold.length ?? 0) - 1), courses, isHoliday }
  for (let call = 0; call < 20; call++) forecastMachine(machine)
  const startedAt = performance.now()
  for (let call = 0; call < 100; call++) forecastMachine(machine)
  return (performance.now() - startedAt) / 100
}

export const forecasts: Measurement = {
  title: 'Forecasts against the average of each weekday over 28 days',
  about: `Nine kinds of sites with ten selections each, and chance by fixed seeds: an office, a school with holidays, a station, cold and hot drinks with a season, growth,
    decline, sudden steps, an even course and slow sellers. The first year is history. On every ninth day of the second one, both rules forecast 28 days, and their mean
    absolute error in pieces of one selection is against what customers wanted, sold out or not. Rounds: a driver may come three days a week, and comes when a selection would
    be empty a day after the next driving day by the rule; the reference misses sales of the same customers. The time is that of one machine with 40 selections.`,
  async run({ quick, say }) {
    const compared = names.map((name) => {
      say(name)
      return { name, ...compareForecasts(name, { seeds: quick ? seeds.quick : seeds.all, step }) }
    })
    const overall = (Object.keys(horizons) as (keyof Errors)[]).map((key) => {
      const mean = (rule: 'forecast' | 'average') =>
        compared.reduce((sum, one) => sum + one[rule][key], 0) / compared.length
      return finding(
        `all kinds of sites: ${horizons[key]}`,
        { forecast: mean('forecast'), average: mean('average') },
        0.95,
      )
    })
    const byName = compared.flatMap(({ name, forecast: ours, average }) =>
      (['day', 'week'] as const).map((key) =>
        finding(`${name}: ${horizons[key]}`, { forecast: ours[key], average: average[key] }, 1.03),
      ),
    )
    const rounds = {
      average: { visits: 0, missed: 0 },
      same: { visits: 0, missed: 0 },
      later: { visits: 0, missed: 0 },
    }
    for (const name of names)
      for (let seed = 1; seed <= (quick ? roundSeeds.quick : roundSeeds.all); seed++) {
        say(`rounds to ${name} ${seed}`)
        const site = siteOf(name, seed * 100)
        for (const [kind, driven] of [
          ['average', drive(site, weekdayAverage)],
          ['same', drive(site, forecast)],
          ['later', drive(site, forecast, 0.7)],
        ] as const) {
          rounds[kind].visits += driven.visits
          rounds[kind].missed += driven.missed
        }
      }
    const ofRounds = (what: string, key: 'visits' | 'missed', kind: 'same' | 'later', atMost: number): Finding => ({
      what,
      figure: `${rounds[kind][key]}`,
      reference: `average ${rounds.average[key]}`,
      value: rounds[kind][key] / rounds.average[key],
      promised: { atMost, unit: '×' },
    })
    const milliseconds = millisecondsOfMachine()
    return [
      ...overall,
      ...byName,
      ofRounds('sales missed in rounds', 'missed', 'same', 0.8),
      ofRounds('visits of these rounds', 'visits', 'same', 1.05),
      ofRounds('sales missed by rounds that wait for 0.3 days more', 'missed', 'later', 1),
      ofRounds('visits of these rounds that wait', 'visits', 'later', 1),
      {
        what: 'forecasts of a machine with 40 selections',
        figure: `${milliseconds.toFixed(1)} ms`,
        value: milliseconds,
      },
    ]
  },
}
