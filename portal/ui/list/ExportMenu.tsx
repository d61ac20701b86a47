import { Popover, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { lazyPart, Part } from '../lazyPart.tsx'
import classes from './ExportMenu.module.css'
import type { Exported } from './exportOrder.ts'
import screen from './ListScreen.module.css'

const ExportPanel = lazyPart(() => import('./ExportPanel.tsx'), ['export', 'errors'])

/** The list as a file; what it offers comes when it is opened. */
export function ExportMenu(props: Exported) {
  const { t } = useTranslation('list')
  return (
    <Popover position="bottom-end" width="min(380px, calc(100vw - 48px))" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={screen.setting} data-on-phones>
          {t('export')}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={t('export')}>
        <Part fallback={<div className={classes.waiting} aria-busy="true" />}>
          <ExportPanel {...props} />
        </Part>
      </Popover.Dropdown>
    </Popover>
  )
}
