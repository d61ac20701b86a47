import { useTranslation } from 'react-i18next'
import type { TimePoint } from '#portal/ui/chart/timeChartProps.ts'
import numbers from '../../../ui/chart/numberTable.module.css'
import classes from './Reading.module.css'

interface Props {
  points: readonly TimePoint[]
  label: string
  format: (value: number) => string
  formatTime: (at: number) => string
}

/** The numbers behind the curve, the latest first. */
export function ReadingTable({ points, label, format, formatTime }: Props) {
  const { t } = useTranslation('reading')
  return (
    // Its rows are reached by scrolling, with the keyboard too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable
    <div className={classes.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={numbers.table}>
        <caption className="unseen">{label}</caption>
        <thead>
          <tr>
            {['time', 'mean', 'lowest', 'highest'].map((name) => (
              <th key={name} scope="col">
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ at, avg, min, max }) => (
            <tr key={at}>
              <th scope="row">{formatTime(at)}</th>
              <td>{format(avg)}</td>
              <td>{format(min)}</td>
              <td>{format(max)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
