import { SimpleGrid, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './ScreenSkeleton.module.css'

const bar = (name: string | undefined) => `${classes.bar} ${name}`

/** Placeholder of a screen while its code or its first data load. */
export function ScreenSkeleton() {
  const { t } = useTranslation('shell')
  return (
    <Stack gap="part" role="status" aria-label={t('loading')}>
      <div className={bar(classes.title)} />
      <SimpleGrid minColWidth={200} autoFlow="auto-fit" spacing="part" className={classes.row}>
        <div className={bar(classes.card)} />
        <div className={bar(classes.card)} />
        <div className={bar(classes.card)} />
        <div className={bar(classes.card)} />
      </SimpleGrid>
      <div className={bar(classes.block)} />
    </Stack>
  )
}
