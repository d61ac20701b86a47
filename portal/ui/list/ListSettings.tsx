import { Checkbox, Popover, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../app/i18n/format.ts'
import { useMerchant } from '../../app/merchant.tsx'
import classes from './ListScreen.module.css'
import type { Column } from './types.ts'

interface Props<T> {
  choosable: readonly Column<T>[]
  isShown: (column: Column<T>) => boolean
  toggle: (column: Column<T>) => void
  /** Epoch milliseconds; 0 before the first answer. */
  refreshedAt: number
  refresh: () => unknown
}

/** When the list was fetched, and which columns it shows. */
export function ListSettings<T>({ choosable, isShown, toggle, refreshedAt, refresh }: Props<T>) {
  const { t } = useTranslation('ui')
  const format = useFormat()
  const { timeZone } = useMerchant()
  const time = refreshedAt > 0 ? format.instant(new Date(refreshedAt), 'time', timeZone) : '–'
  return (
    <div className={classes.settings}>
      <UnstyledButton className={classes.setting} onClick={() => void refresh()} title={t('list.refresh')}>
        {t('list.refreshed', { time })}
      </UnstyledButton>
      {choosable.length > 0 && (
        <Popover position="bottom-end" trapFocus returnFocus>
          <Popover.Target>
            <UnstyledButton className={classes.setting}>{t('list.columns')}</UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown className={classes.columns}>
            {choosable.map((column) => (
              <Checkbox
                key={column.id}
                size="xs"
                label={column.name}
                checked={isShown(column)}
                onChange={() => toggle(column)}
              />
            ))}
          </Popover.Dropdown>
        </Popover>
      )}
    </div>
  )
}
