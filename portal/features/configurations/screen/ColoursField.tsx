import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { colourNames, defaultColours, type ScreenColours } from '#contract/configurations/screen-content.ts'
import { contrastOf } from '#domain/frame/contrast.ts'
import { ColourInput } from '#portal/ui/form/fields/ColourInput.tsx'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'
import classes from './Screen.module.css'

/** Text below this contrast is hard to read (WCAG 2, 1.4.3). */
const enough = 4.5

/** The colors of the screen, with a note where text is hard to read. */
export const ColoursField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...props }) => {
  const { t } = useTranslation('screen-configuration')
  const { value, set, leave, isFixed } = useField<ScreenColours, Record<string, unknown>>(props)
  const isFaint =
    contrastOf(value.text, value.background) < enough || contrastOf(value.buttonText, value.button) < enough
  return (
    <div className={classes.wide}>
      <div className={classes.colours}>
        {colourNames.map((name) => (
          <ColourInput
            key={name}
            label={t(`colour.${name}`)}
            value={value[name]}
            disabled={isFixed}
            error={props.form.errors[`colours.${name}`]}
            onChange={(colour) => set({ ...value, [name]: colour.toLowerCase() })}
            onBlur={leave}
          />
        ))}
      </div>
      {isFaint && <p className={classes.hint}>{t('colour.faint')}</p>}
      <div>
        <Button variant="subtle" disabled={isFixed} onClick={() => set(defaultColours)}>
          {t('colour.reset')}
        </Button>
      </div>
    </div>
  )
}
