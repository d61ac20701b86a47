import { Box, Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './Sheet.module.css'
import { useFocusBack } from './useFocusBack.ts'

interface Props {
  title: ReactNode
  close: () => void
  /** Buttons that stay at the bottom, under the thumb. */
  footer?: ReactNode
  children: ReactNode
}

/** On a phone, replaces a menu or a dialog: a sheet from the bottom, as tall as its content, mounted only while open. */
export function Sheet({ title, close, footer, children }: Props) {
  const { t } = useTranslation('ui')
  useFocusBack()
  return (
    <Drawer
      opened
      onClose={close}
      position="bottom"
      size="auto"
      title={title}
      closeButtonProps={{ 'aria-label': t('close'), size: 'xl' }}
      classNames={{ content: classes.content, header: classes.header, title: classes.title, body: classes.body }}
    >
      <Box pb="md" px="md">
        {children}
      </Box>
      {footer && <div className={classes.footer}>{footer}</div>}
    </Drawer>
  )
}
