import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Opener } from '#portal/ui/dialog/Opener.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import screen from '../ListScreen.module.css'
import type { ExportedList } from './exportOrder.ts'

const ExportPanel = lazyPart(() => import('./ExportPanel.tsx'), ['export', 'errors'])

/** The list as a file; the options load when the menu is opened. */
export function ExportMenu(props: ExportedList) {
  const { t } = useTranslation('list')
  return (
    <Opener
      className={`${screen.setting} lights inks`}
      isOnPhones
      label={t('export')}
      name={t('export')}
      position="bottom-end"
      padding={0}
      width="min(380px, calc(100vw - 48px))"
    >
      {() => (
        <Part fallback={<Box h={260} aria-busy="true" />}>
          <ExportPanel {...props} />
        </Part>
      )}
    </Opener>
  )
}
