import { Button, Flex, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { Place } from '../../app/place.ts'
import { Dialog } from '../dialog/Dialog.tsx'
import { PlaceLink } from '../value/PlaceLink.tsx'
import classes from './InUseDialog.module.css'

/** Some of the records that block a deletion, with their number. */
export interface Blockers {
  /** Key of its heading, with plurals: `blocking.machines`. */
  what: 'machines' | 'people' | 'planograms' | 'profiles' | 'stockPlaces'
  count: number
  first: readonly { id: string; name: string; place: Place }[]
}

export interface Blocking {
  blockers: readonly Blockers[]
  /** Blocking records that the user may not see. */
  note?: string | undefined
}

interface Props extends Blocking {
  title: string
  close: () => void
}

/** Shows why a record cannot be deleted: what still uses it, each with a link to where the use is removed. */
export function InUseDialog({ title, blockers, note, close }: Props) {
  const { t } = useTranslation(['assigned', 'ui'])
  const format = useFormat()
  return (
    <Dialog onClose={close} title={title} size="md" closeButtonProps={{ 'aria-label': t('ui:close') }}>
      <Stack gap="part">
        {blockers
          .filter(({ count }) => count > 0)
          .map(({ what, count, first }) => (
            <section key={what}>
              <Title order={3} mb="tight" fz="sm" fw={600} lh="inherit">
                {t(`assigned:blocking.${what}`, { count, number: format.number(count) })}
              </Title>
              <ul className={classes.list}>
                {first.map(({ id, name, place }) => (
                  <li key={id}>
                    <PlaceLink place={place} className={classes.link} onClick={close}>
                      {name}
                    </PlaceLink>
                  </li>
                ))}
                {first.length > 0 && count > first.length && (
                  <li>
                    {t('assigned:blocking.more', {
                      count: count - first.length,
                      number: format.number(count - first.length),
                    })}
                  </li>
                )}
              </ul>
            </section>
          ))}
        {note && <Text c="dimmed">{note}</Text>}
        <Flex justify="flex-end">
          <Button variant="default" data-autofocus onClick={close}>
            {t('ui:close')}
          </Button>
        </Flex>
      </Stack>
    </Dialog>
  )
}
