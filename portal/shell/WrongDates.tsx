import { Text } from '@mantine/core'
import { IconCalendarX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAddressQuery } from '../app/go.ts'
import { wrongDatesIn } from '../app/wrongDates.ts'
import classes from './DemoNotice.module.css'

/** Names the dates of the address that the screen below cannot use and replaces by its own period. */
export default function WrongDates() {
  const { t } = useTranslation('ui')
  const dates = wrongDatesIn(useAddressQuery())
  return (
    <p className={classes.notice} data-tone="warn" role="alert">
      <IconCalendarX size={16} aria-hidden />
      <Text span flex="1 1 200px">
        {t('period.wrong', { dates: dates.join(', ') })}
      </Text>
    </p>
  )
}
