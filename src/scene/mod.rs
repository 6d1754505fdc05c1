//! From the world to what is drawn, and how it is paced: places, marks, ribbons. Names, but no words.

pub mod names;
