// @ts-check
// Four quiet sounds, made by the page itself; none before the first click, and a switch.
import { $ } from "../common.js";

const KEY = "fairplay-sound";
const LOUDNESS = 0.08;

/** Each note: pitch in hertz, when it begins and how long it lasts in seconds. @type {Record<string, [number, number, number][]>} */
const SOUNDS = {
  turn: [[523, 0, 0.16], [784, 0.12, 0.28]],
  move: [[330, 0, 0.09]],
  found: [[440, 0, 0.1], [660, 0.07, 0.16]],
  end: [[392, 0, 0.25], [494, 0.16, 0.25], [587, 0.32, 0.5]],
};

/** @type {AudioContext | null} */
let audio = null;

/** Browsers let a page sound only after a click. */
function wake() {
  if (isOn()) audio ??= new AudioContext();
}

const isOn = () => localStorage.getItem(KEY) !== "off";

/** The switch of the page. */
export function enableSounds() {
  const button = $("sound");
  const show = () => {
    button.setAttribute("aria-pressed", String(isOn()));
    button.textContent = isOn() ? "Sound on" : "Sound off";
  };
  button.onclick = () => {
    localStorage.setItem(KEY, isOn() ? "off" : "on");
    show();
    wake();
    playSound("move");
  };
  addEventListener("pointerdown", wake, { once: true });
  addEventListener("keydown", wake, { once: true });
  show();
}

/** @param {"turn" | "move" | "found" | "end"} name */
export function playSound(name) {
  if (!audio || !isOn() || document.hidden && name !== "turn") return;
  const start = audio.currentTime + 0.02;
  for (const [pitch, begin, length] of SOUNDS[name]) playNote(audio, pitch, start + begin, length);
}

/** @param {AudioContext} context @param {number} pitch @param {number} start @param {number} length */
function playNote(context, pitch, start, length) {
  const tone = context.createOscillator(), volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0005, start + length);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + length);
}
