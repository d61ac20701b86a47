import { Flex, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '#portal/ui/part/Panel.tsx'
import classes from './Section.module.css'

interface Props {
  title: string
  /** Small, beside the title: which segments it comes from. */
  from?: string
  aside?: ReactNode
  /** The file contains no data for this section. */
  isEmpty?: boolean
  children?: ReactNode
}

/** A section of an audit. A section that the file does not report is one line that says so. */
export function Section({ title, from, aside, isEmpty = false, children }: Props) {
  const { t } = useTranslation('audit')
  const id = useId()
  return (
    <Panel component="section" miw={0} mb="sm" py="part" px="md" aria-labelledby={id}>
      <Flex component="header" rowGap="hair" columnGap="near" wrap="wrap" align="baseline" className={classes.head}>
        <Title id={id} order={3} fz="md" fw={650} lh="md">
          {title}
        </Title>
        {from && (
          <Text span c="faint" ff="monospace" fz={11.5}>
            {from}
          </Text>
        )}
        <Text span ml="auto" c="dimmed" fz="sm">
          {isEmpty ? t('notReported') : aside}
        </Text>
      </Flex>
      {!isEmpty && children}
    </Panel>
  )
}

export interface Head {
  name: string
  align?: 'end'
}

interface RowsProps {
  /** The table's name for screen readers. */
  caption: string
  heads: readonly Head[]
  rows: readonly (readonly ReactNode[])[]
  /** Shows the caption. */
  isNamed?: boolean
}

/** A small table; null or undefined is shown as a dash. */
export function Rows({ caption, heads, rows, isNamed = false }: RowsProps) {
  const { t } = useTranslation('audit')
  if (rows.length === 0) return null
  return (
    // Scrollable content must be reachable by keyboard.
    <div className={classes.scroll} role="group" tabIndex={0} aria-label={caption}>
      <table className={classes.table}>
        <caption className={isNamed ? classes.caption : 'unseen'}>{caption}</caption>
        <thead>
          <tr>
            {heads.map(({ name, align }) => (
              <th key={name} scope="col" data-align={align}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // The rows of a file never move.
            <tr key={row}>
              {cells.map((cell, index) => (
                // The cells of a row never move.
                <td key={index} data-align={heads[index]?.align}>
                  {cell ?? (
                    <Text span c="faint" title={t('notReported')}>
                      –<span className="unseen">{t('notReported')}</span>
                    </Text>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
