#include <array>

#include "lab/experiments/accuracy.h"
#include "lab/experiments/b89_convergence.h"
#include "lab/experiments/b89_figures.h"
#include "lab/experiments/event_scene.h"
#include "lab/experiments/m11_impacts.h"
#include "lab/experiments/m11_laws.h"
#include "lab/experiments/mc95.h"
#include "lab/experiments/mc95_bowling.h"
#include "lab/experiments/mc95_cost.h"
#include "lab/experiments/mc95_impact.h"
#include "lab/experiments/mc95_platter.h"
#include "lab/experiments/order2.h"
#include "lab/experiments/st00_balls.h"
#include "lab/experiments/st00_rod.h"

namespace tenpin::lab {

namespace {

constexpr std::array<Experiment, 67> kExperiments = {{
    {"ST00/rod", "Stewart and Trinkle 2000, example 1: a falling rod (Figs. 2 to 5)",
     experiments::run_st00_rod},
    {"ST00/balls", "Stewart and Trinkle 2000, example 2: four balls (Figs. 1 and 6 to 8, Table 1)",
     experiments::run_st00_balls},
    {"M11/impacts",
     "Morgan 2011: collisions of a double pendulum in closed form (Figs. 2.1 to 2.9, 4.1)",
     experiments::run_m11_impacts},
    {"M11/laws", "Morgan 2011: Newton's, Poisson's and the energetic law side by side",
     experiments::run_m11_laws},
    {"B89/fig1", "Baraff 1989: an overbalanced stack of bricks, by linear programs (Fig. 1)",
     experiments::run_event_scene},
    {"B89/fig2", "Baraff 1989: springs, which the paper advises against (Fig. 2)",
     experiments::run_event_scene},
    {"B89/fig2-analytic", "Baraff 1989: the same boxes with exact forces (Fig. 2)",
     experiments::run_event_scene},
    {"B89/fig3", "Baraff 1989: vertex-plane and edge-edge contact (Fig. 3)",
     experiments::run_b89_contacts},
    {"B89/fig4", "Baraff 1989: a degenerate contact made determinate (Fig. 4)",
     experiments::run_b89_contacts},
    {"B89/fig5", "Baraff 1989: contact regions and their end points (Fig. 5)",
     experiments::run_b89_contacts},
    {"B89/fig6", "Baraff 1989: the characteristic function (Fig. 6)",
     experiments::run_b89_contacts},
    {"B89/fig7", "Baraff 1989: the force on a mass on an incline (Fig. 7)",
     experiments::run_event_scene},
    {"B89/fig8", "Baraff 1989: a block supported by a floor (Fig. 8)",
     experiments::run_event_scene},
    {"B89/fig9", "Baraff 1989: a vanishing contact point (Fig. 9)", experiments::run_event_scene},
    {"B89/fig10", "Baraff 1989: four contacts of which two vanish (Fig. 10)",
     experiments::run_event_scene},
    {"B89/fig11", "Baraff 1989: three balls collide, all impulses at once (Fig. 11)",
     experiments::run_event_scene},
    {"B89/fig11-propagation",
     "Baraff 1989: three balls collide, one impulse after the other (Fig. 11)",
     experiments::run_event_scene},
    {"B89/fig12", "Baraff 1989: a heavy ball on a light one, by both models (Fig. 12)",
     experiments::run_b89_rounds},
    {"B89/fig13", "Baraff 1989: struck from below and pushed away (Fig. 13)",
     experiments::run_event_scene},
    {"B89/fig14a", "Baraff 1989: an overbalanced stack of bricks (Fig. 14a)",
     experiments::run_event_scene},
    {"B89/fig14b", "Baraff 1989: dominoes (Fig. 14b)", experiments::run_event_scene},
    {"B89/fig14c", "Baraff 1989: a destructive chain (Fig. 14c)", experiments::run_event_scene},
    {"B89/fig14d", "Baraff 1989: a chain curls round a pivot (Fig. 14d)",
     experiments::run_event_scene},
    {"B89/fig14e", "Baraff 1989: two blocks fall into a chain (Fig. 14e)",
     experiments::run_event_scene},
    {"B89/fig14f", "Baraff 1989: many blocks fall into a chain (Fig. 14f)",
     experiments::run_event_scene},
    {"B89/convergence", "Time stepping converges to the motion of the analytical method",
     experiments::run_b89_convergence},
    {"M11/pendulum", "Morgan 2011: a double pendulum falls onto the floor (Fig. 3.1)",
     experiments::run_event_scene},
    {"MC95/terrain", "Mirtich and Canny 1995: a ball on a terrain with a ramp (Fig. 1)",
     experiments::run_mc95},
    {"MC95/pool", "Mirtich and Canny 1995: pool break (Figs. 2, 5)", experiments::run_mc95},
    {"MC95/ramp-decelerating",
     "Mirtich and Canny 1995: block on a ramp, mu above critical (Figs. 6, 7)",
     experiments::run_mc95},
    {"MC95/ramp-accelerating",
     "Mirtich and Canny 1995: block on a ramp, mu below critical (Figs. 8, 9)",
     experiments::run_mc95},
    {"MC95/bowling", "Mirtich and Canny 1995: the strike pocket (Figs. 10, 11)",
     experiments::run_mc95_bowling},
    {"MC95/platter", "Mirtich and Canny 1995: ball on a spinning platter",
     experiments::run_mc95_platter},
    {"MC95/block-drop", "Mirtich and Canny 1995: block dropped on a block", experiments::run_mc95},
    {"MC95/dominoes", "Mirtich and Canny 1995: seven dominoes", experiments::run_mc95},
    {"MC95/chain", "Mirtich and Canny 1995: chain of balls", experiments::run_mc95},
    {"MC95/coins", "Mirtich and Canny 1995: eight coins", experiments::run_mc95},
    {"MC95/dish", "Mirtich and Canny 1995: seven balls in a dish", experiments::run_mc95},
    {"MC95/impact", "Mirtich and Canny 1995: how slip flows in an impact (Figs. 3, 4)",
     experiments::run_mc95_impact},
    {"MC95/cost", "Mirtich and Canny 1995: times (Table 1), and what contacts at rest cost",
     experiments::run_mc95_cost},
    {"accuracy/ramp-stick", "Accuracy: a block on a ramp, friction 1 % above critical",
     experiments::run_accuracy},
    {"accuracy/ramp-slide", "Accuracy: a block on a ramp, friction 1 % below critical",
     experiments::run_accuracy},
    {"accuracy/mass-ratio", "Accuracy: a heavy block on a light one, to 10000 : 1",
     experiments::run_accuracy},
    {"accuracy/three-balls", "Accuracy: an elastic ball meets two that touch",
     experiments::run_accuracy},
    {"accuracy/cradle", "Accuracy: Newton's cradle of five", experiments::run_accuracy},
    {"accuracy/torque-free", "Accuracy: torque-free rotation for 100 s", experiments::run_accuracy},
    {"accuracy/platter", "Accuracy: a ball on a turning platter", experiments::run_accuracy},
    {"accuracy/slide-to-roll", "Accuracy: a ball from sliding to rolling",
     experiments::run_accuracy},
    {"accuracy/bounce", "Accuracy: a bouncing ball", experiments::run_accuracy},
    {"accuracy/tower", "Accuracy: a tower of ten equal blocks", experiments::run_accuracy},
    {"accuracy/tower-alternating", "Accuracy: a tower of light and heavy blocks, 1 : 100",
     experiments::run_accuracy},
    {"accuracy/direction", "Accuracy: a block slides at 22.5 degrees to the axes",
     experiments::run_accuracy},
    {"order2/platter", "Second order: a ball on a turning platter does not spiral",
     experiments::run_order2},
    {"order2/puck", "Second order: a puck whose slip turns", experiments::run_order2},
    {"order2/slide", "Second order: a ball slides, then rolls", experiments::run_order2},
    {"order2/ramp", "Second order: a block stops on a ramp", experiments::run_order2},
    {"order2/dish", "Second order: a ball rolls in a dish for 20 s", experiments::run_order2},
    {"order2/hill", "Second order: a ball rolls over a sphere", experiments::run_order2},
    {"order2/chaplygin", "Second order: Chaplygin's ball", experiments::run_order2},
    {"order2/rocking", "Second order: a rocking block, three impacts", experiments::run_order2},
    {"order2/bounce", "Second order: a bouncing ball, e = 0.8", experiments::run_order2},
    {"order2/bounce-elastic", "Second order: a bouncing ball, e = 1", experiments::run_order2},
    {"order2/rod", "Second order: the falling rod of Stewart and Trinkle", experiments::run_order2},
    {"order2/balls", "Second order: the four balls of Stewart and Trinkle",
     experiments::run_order2},
    {"order2/pool", "Second order: a rack of balls is broken", experiments::run_order2},
    {"order2/stack", "Second order: a stack at rest", experiments::run_order2},
    {"order2/pile", "Second order: a pile comes to rest", experiments::run_order2},
}};

}  // namespace

std::span<const Experiment> all_experiments() {
  return kExperiments;
}

}  // namespace tenpin::lab
