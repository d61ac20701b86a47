import { Group, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { ExportMenu } from '../export/ExportMenu.tsx'
import type { ExportedList } from '../export/exportOrder.ts'
import classes from '../ListScreen.module.css'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import type { Columns } from './useColumns.ts'

interface Props<T> {
  columns: Columns<T>
  /** Epoch milliseconds; 0 before the first answer. */
  refreshedAt: number
  refresh: () => unknown
  /** The export, for lists that have one. */
  exported?: ExportedList | undefined
  /** Further actions on the whole list. */
  children?: ReactNode
}

/** When the list was fetched, the choice of columns, and its edit and export actions. */
export function ListSettings<T>({ columns, refreshedAt, refresh, exported, children }: Props<T>) {
  const { t } = useTranslation('list')
  const format = useFormat()
  const { timeZone } = useMerchant()
  const time = refreshedAt > 0 ? format.instant(new Date(refreshedAt), 'time', timeZone) : '–'
  return (
    <Group gap="tight" wrap="nowrap" flex="none" mih={{ base: 0, xs: 30 }} ml="auto" className="no-print">
      <UnstyledButton className={`${classes.setting} lights inks`} onClick={() => void refresh()} title={t('refresh')}>
        {t('refreshed', { time })}
      </UnstyledButton>
      {children}
      <ColumnsMenu columns={columns} />
      {exported && <ExportMenu {...exported} />}
    </Group>
  )
}
