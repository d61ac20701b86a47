import { Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SortHeading } from '#portal/ui/list/SortHeading.tsx'
import { useSorted } from '#portal/ui/list/useSorted.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import classes from './DistributorKpis.module.css'
import { useMachinesPlace } from './useMachinesPlace.ts'

interface Named {
  name: string
  /** The filter of its machines, and their order. */
  filter: Record<string, string>
}

interface Column<P> {
  name: string
  /** Not shown on a phone. */
  isWide?: boolean
  cell: (part: P) => ReactNode
  /** What the column sorts by; null is unknown. */
  value: (part: P) => number | null
  /** Of all parts together. */
  total?: ReactNode
}

interface Props<P, D extends string> {
  title: string
  empty: string
  dimensions: readonly D[]
  by: D
  setBy: (by: D) => void
  parts: readonly P[]
  columns: readonly Column<P>[]
}

/** Figures by a dimension that the user chooses; each part leads to its machines. */
export function PartsCard<P extends Named, D extends string>({
  title,
  empty,
  dimensions,
  by,
  setBy,
  parts,
  columns,
}: Props<P, D>) {
  const { t } = useTranslation(['distributor-kpis', 'ui'])
  const place = useMachinesPlace()
  const nameOf = (dimension: string) => t(`breakdown.${dimension}`)
  const sorted = useSorted(parts, (part, ord: string) =>
    ord === 'name' ? part.name : columns.find(({ name }) => name === ord)?.value(part),
  )
  const classOf = ({ isWide }: Column<P>) => (isWide ? 'wide-only' : undefined)
  return (
    <Card title={title}>
      <Segments
        name={t('breakdown.by')}
        value={by}
        choose={setBy}
        options={dimensions.map((value) => ({ value, label: nameOf(value) }))}
      />
      {parts.length === 0 ? (
        <Text mt="near" c="dimmed">
          {empty}
        </Text>
      ) : (
        <Box mt="xs" className={`${classes.scroll} scrolls`} role="group" tabIndex={0} aria-label={title}>
          <table className={numbers.table}>
            <caption className="unseen">{title}</caption>
            <thead>
              <tr>
                <SortHeading by="name" name={nameOf(by)} isText {...sorted.heading} />
                {columns.map((column) => (
                  <SortHeading
                    key={column.name}
                    by={column.name}
                    name={column.name}
                    className={classOf(column)}
                    {...sorted.heading}
                  />
                ))}
              </tr>
            </thead>
            <tbody>
              {sorted.rows.map((part) => (
                <tr key={part.name}>
                  <th scope="row">
                    <PlaceLink place={place(part.filter)} className={classes.link ?? ''}>
                      {part.name}
                    </PlaceLink>
                  </th>
                  {columns.map((column) => (
                    <td key={column.name} className={classOf(column)}>
                      {column.cell(part)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
            {columns.some(({ total }) => total !== undefined) && (
              <tfoot>
                <tr>
                  <th scope="row">{t('ui:list.total')}</th>
                  {columns.map((column) => (
                    <td key={column.name} className={classOf(column)}>
                      {column.total}
                    </td>
                  ))}
                </tr>
              </tfoot>
            )}
          </table>
        </Box>
      )}
    </Card>
  )
}
