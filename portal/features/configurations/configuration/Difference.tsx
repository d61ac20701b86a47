import { Box, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowsExchange, IconEqual, IconMinus, IconPlus, IconSearch, type TablerIcon } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Parameters } from '#contract/vocabulary/configuration.ts'
import { changesBetween, countChanges, type ParameterChange } from '#domain/configurations/configuration.ts'
import { contains } from '#domain/frame/folded.ts'
import classes from './Configuration.module.css'

/** How each kind of change looks: a mark and a word beside the colour. */
const looks = {
  added: { Icon: IconPlus, tone: 'ok' },
  removed: { Icon: IconMinus, tone: 'crit' },
  changed: { Icon: IconArrowsExchange, tone: 'warn' },
  same: { Icon: IconEqual, tone: 'mute' },
} as const satisfies Record<ParameterChange['change'], { Icon: TablerIcon; tone: string }>

/** The first part of a parameter's name, used to group related parameters. */
const groupOf = ({ name }: ParameterChange) => (name.includes('.') ? (name.split('.')[0] as string) : '')

/** Two configurations, parameter by parameter. Without a previous configuration, all parameters. */
export function Difference({ before, after }: { before: Parameters | undefined; after: Parameters }) {
  const { t } = useTranslation('configuration')
  const [isAll, setAll] = useState(before === undefined)
  const [searchText, setSearchText] = useState('')
  const changes = changesBetween(before ?? after, after)
  const counts = countChanges(changes)
  const visibleChanges = changes.filter(
    ({ name, change, before: was, after: is }) =>
      (isAll || change !== 'same') && [name, was, is].some((text) => text && contains(text, searchText)),
  )
  const groups = [...Map.groupBy(visibleChanges, groupOf)]
  return (
    <Stack gap="xs">
      <div className={classes.tools}>
        {before && (
          <p className={classes.counts}>
            {(['added', 'removed', 'changed'] as const).map((kind) => (
              <Mark key={kind} change={kind}>
                {t(`count.${kind}`, { count: counts[kind] })}
              </Mark>
            ))}
          </p>
        )}
        <TextInput
          size="xs"
          className={classes.search}
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={searchText}
          onChange={(event) => setSearchText(event.currentTarget.value)}
        />
        {before && (
          <Checkbox
            size="xs"
            label={t('showSame')}
            checked={isAll}
            onChange={(event) => setAll(event.currentTarget.checked)}
          />
        )}
      </div>
      {visibleChanges.length === 0 ? (
        <Text py="wide" c="dimmed">
          {t(searchText ? 'nothingFound' : 'noDifference')}
        </Text>
      ) : (
        <Box className="scrolls" role="group" tabIndex={0} aria-label={t('difference')}>
          <table className={classes.table}>
            <caption className="unseen">{t('difference')}</caption>
            <thead>
              <tr>
                {before && <th scope="col">{t('column.change')}</th>}
                <th scope="col">{t('column.parameter')}</th>
                {before && <th scope="col">{t('column.before')}</th>}
                <th scope="col">{t(before ? 'column.after' : 'column.value')}</th>
              </tr>
            </thead>
            {groups.map(([group, rows]) => (
              <tbody key={group}>
                {group && (
                  <tr className={classes.group}>
                    <th colSpan={before ? 4 : 2} scope="colgroup">
                      {group}
                    </th>
                  </tr>
                )}
                {rows.map((row) => (
                  <ChangeRow key={row.name} row={row} isCompared={before !== undefined} />
                ))}
              </tbody>
            ))}
          </table>
        </Box>
      )}
    </Stack>
  )
}

/** One parameter: without a previous configuration, its value alone. */
function ChangeRow({ row, isCompared }: { row: ParameterChange; isCompared: boolean }) {
  const { t } = useTranslation('configuration')
  const absent = (
    <Text span c="dimmed" fs="italic">
      {t('absent')}
    </Text>
  )
  return (
    <tr data-change={row.change}>
      {isCompared && (
        <td>
          <Mark change={row.change}>{t(`change.${row.change}`)}</Mark>
        </td>
      )}
      <th scope="row" className={classes.name}>
        {row.name}
      </th>
      {isCompared && (
        <td className={classes.value}>
          {row.before === null ? (
            absent
          ) : row.change === 'same' ? (
            row.before
          ) : (
            <Box component="del" c="crit">
              {row.before}
            </Box>
          )}
        </td>
      )}
      <td className={classes.value}>
        {row.after === null ? (
          absent
        ) : row.change === 'same' ? (
          row.after
        ) : (
          <Box component="ins" c="ok" fw={600} td="none">
            {row.after}
          </Box>
        )}
      </td>
    </tr>
  )
}

function Mark({ change, children }: { change: ParameterChange['change']; children: string }) {
  const { Icon, tone } = looks[change]
  return (
    <span className={classes.mark} style={{ color: `var(--${tone})`, background: `var(--${tone}-soft)` }}>
      <Icon size={13} aria-hidden />
      {children}
    </span>
  )
}
