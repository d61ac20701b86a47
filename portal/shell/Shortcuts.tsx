import { SimpleGrid, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { screens } from '#portal/screens.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { useMerchant } from '../app/merchant.tsx'
import { useSession } from '../app/session/useSession.ts'
import { maySee } from './menu/menu.ts'
import classes from './Shortcuts.module.css'

const everywhere = [
  ['Ctrl K', 'search'],
  ['/', 'search'],
  ['?', 'shortcuts'],
  ['[', 'menu'],
] as const
const inLists = [
  ['↑ ↓', 'rows'],
  ['Enter', 'open'],
  ['x', 'select'],
  ['n p', 'pages'],
  ['r', 'refresh'],
  ['Esc', 'deselect'],
] as const

const inPanels = [
  ['j k', 'steps'],
  ['Enter', 'page'],
  ['Esc', 'close'],
] as const

/** The overlay that lists the keys. */
export default function Shortcuts({ close }: { close: () => void }) {
  const { t } = useTranslation(['shell', 'editing', 'panel'])
  const { me } = useSession()
  const merchant = useMerchant()
  const reachable = screens.filter((screen) => screen.menu?.key && me && maySee(screen, me, merchant))
  return (
    <Dialog onClose={close} title={t('panel:keys.title')} size="lg">
      <SimpleGrid minColWidth={230} autoFlow="auto-fit" spacing="xl" verticalSpacing="lg">
        <Keys
          title={t('panel:keys.everywhere')}
          rows={[
            ...everywhere.map(([key, name]) => [key, t(`panel:keys.${name}`)] as const),
            ['Ctrl Z', t('editing:undo.shortcut')],
          ]}
        />
        <Keys title={t('panel:keys.lists')} rows={inLists.map(([key, name]) => [key, t(`panel:keys.${name}`)])} />
        <Keys
          title={t('panel:shortcuts.title')}
          rows={inPanels.map(([key, name]) => [key, t(`panel:shortcuts.${name}`)])}
        />
        {reachable.length > 0 && (
          <Keys
            title={t('panel:keys.goTo')}
            rows={reachable.map(({ menu, label }) => [`g ${menu?.key}`, t(`screens.${label}`)])}
          />
        )}
      </SimpleGrid>
    </Dialog>
  )
}

function Keys({ title, rows }: { title: string; rows: readonly (readonly [keys: string, name: string])[] }) {
  return (
    <section>
      <Title order={3} mb="snug" c="dimmed" fz="xs" fw={500} lh="inherit">
        {title}
      </Title>
      <dl>
        {rows.map(([keys, name]) => (
          <Columns key={keys} of="84px 1fr" align="center" mih={32}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key} className={classes.key}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{name}</dd>
          </Columns>
        ))}
      </dl>
    </section>
  )
}
