import { ColorInput, type ColorInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A color as #rrggbb, typed or picked. */
export function ColourInput(props: Omit<ColorInputProps, 'format' | 'eyeDropperButtonProps'>) {
  const { t } = useTranslation('ui')
  return <ColorInput format="hex" eyeDropperButtonProps={{ 'aria-label': t('pickColour') }} {...props} />
}
